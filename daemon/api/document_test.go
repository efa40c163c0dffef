package api

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"
)

// operations says what each route takes and gives; nil is no body. What a
// client sends and the document says must agree with it.
var operations = map[Route]struct {
	takes any
	gives map[string]any // by media type
}{
	RouteStatus: {nil, gives(Snapshot{})},
	RouteEvents: {nil, map[string]any{TypeEvents: Event{}}},
	RouteTranslate: {TranslateRequest{}, map[string]any{
		TypeJSON: TranslateResponse{}, TypeLines: StreamLine{},
	}},
	RouteDetect:           {DetectRequest{}, gives(DetectResponse{})},
	RouteAlign:            {AlignRequest{}, gives(AlignResponse{})},
	RouteLanguages:        {nil, gives(LanguagesResponse{})},
	RouteJobs:             {nil, gives(JobsResponse{})},
	RouteJob:              {nil, gives(Job{})},
	RouteCancelJob:        {nil, nil},
	RouteRetryJob:         {nil, gives(Job{})},
	RouteHistory:          {nil, gives(HistoryResponse{})},
	RouteEraseHistory:     {nil, gives(ErasedResponse{})},
	RouteEraseEntry:       {nil, nil},
	RouteFolders:          {nil, gives(FoldersResponse{})},
	RouteAddFolder:        {FolderSettings{}, gives(Folder{})},
	RouteFolder:           {nil, gives(Folder{})},
	RouteSetFolder:        {FolderSettings{}, gives(Folder{})},
	RouteRemoveFolder:     {nil, nil},
	RouteRescanFolder:     {nil, nil},
	RoutePauseFolder:      {nil, gives(Folder{})},
	RouteResumeFolder:     {nil, gives(Folder{})},
	RouteGlossary:         {nil, gives(GlossaryResponse{})},
	RouteAddTerm:          {Term{}, nil},
	RouteRemoveTerm:       {nil, nil},
	RouteAddGlossary:      {WordsFile{}, gives(WordsFileResponse{})},
	RouteRemoveGlossary:   {nil, nil},
	RouteSearchMemory:     {MemoryQuery{}, gives(MemoryResponse{})},
	RouteCorrect:          {Correction{}, nil},
	RouteForgetCorrection: {ForgetRequest{}, nil},
	RouteMemoryFiles:      {nil, gives(MemoryFilesResponse{})},
	RouteAddMemory:        {WordsFile{}, gives(WordsFileResponse{})},
	RouteRemoveMemory:     {nil, nil},
	RouteExportMemory:     {nil, gives(WordsFile{})},
	RouteSettings:         {nil, gives(SettingsResponse{})},
	RouteSetSettings:      {SettingsRequest{}, gives(SettingsResponse{})},
	RouteReload:           {nil, gives(SettingsResponse{})},
	RoutePause:            {PauseRequest{}, gives(Snapshot{})},
	RouteResume:           {nil, gives(Snapshot{})},
	RoutePulls:            {nil, gives(PullsResponse{})},
	RoutePull:             {PullRequest{}, gives(Pull{})},
	RouteCancelPull:       {nil, nil},
}

func gives(value any) map[string]any { return map[string]any{TypeJSON: value} }

// queries are the parameters of URLs as the client writes them when all are
// set.
var queries = map[Route][]string{
	RouteJobs:           keysOf(JobQuery{JobDone, 1, 1, 1}.Values()),
	RouteHistory:        keysOf(HistoryQuery{"word", 1, 1}.Values()),
	RouteEraseHistory:   keysOf(eraseValues(time.Unix(1, 0))),
	RouteRemoveTerm:     {"from", "term", "to"},
	RouteRemoveGlossary: {"name"},
	RouteRemoveMemory:   {"name"},
}

func keysOf[V any](m map[string]V) []string {
	keys := []string{}
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

const schemas = "#/components/schemas/"

func document(t *testing.T) *openapi3.T {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromFile(filepath.Join("..", "..", "docs", "openapi.yaml"))
	require.NoError(t, err)
	return doc
}

func TestTheDocumentIsValid(t *testing.T) {
	doc := document(t)
	require.NoError(t, doc.Validate(t.Context(), openapi3.IsOpenAPI31OrLater()))
	require.Equal(t, "3.1.0", doc.OpenAPI)
}

func TestTheDocumentHasTheRoutes(t *testing.T) {
	doc := document(t)
	described := map[Route]*openapi3.Operation{}
	for path, item := range doc.Paths.Map() {
		for method, operation := range item.Operations() {
			described[Route{operation.OperationID, method, path}] = operation
		}
	}
	require.ElementsMatch(t, Routes, keysOfRoutes(described))
	require.ElementsMatch(t, Routes, keysOfRoutes(operations), "this test's table")
	for _, route := range Routes {
		t.Run(route.Name, func(t *testing.T) {
			operation, want := described[route], operations[route]
			checkParameters(t, route, operation)
			if want.takes == nil {
				require.Nil(t, operation.RequestBody)
			} else {
				content := operation.RequestBody.Value.Content
				require.Equal(t, []string{TypeJSON}, keysOf(content))
				requireRef(t, want.takes, content[TypeJSON].Schema)
			}
			if want.gives == nil {
				require.NotNil(t, operation.Responses.Value("204"))
				require.Nil(t, operation.Responses.Value("200"))
			} else {
				content := operation.Responses.Value("200").Value.Content
				require.Equal(t, keysOf(want.gives), keysOf(content))
				for kind, value := range want.gives {
					requireRef(t, value, content[kind].Schema)
				}
			}
			checkProblems(t, operation)
		})
	}
}

func keysOfRoutes[V any](m map[Route]V) []Route {
	routes := []Route{}
	for r := range m {
		routes = append(routes, r)
	}
	return routes
}

func checkParameters(t *testing.T, route Route, operation *openapi3.Operation) {
	t.Helper()
	query, inPath := []string{}, false
	for _, p := range operation.Parameters {
		switch p.Value.In {
		case "query":
			query = append(query, p.Value.Name)
		case "path":
			inPath = p.Value.Name == "id"
		case "header":
			require.Equal(t, "Last-Event-ID", p.Value.Name)
			require.Equal(t, RouteEvents, route)
		}
	}
	slices.Sort(query)
	want := queries[route]
	if want == nil {
		want = []string{}
	}
	require.Equal(t, want, query)
	require.Equal(t, strings.Contains(route.Path, "{id}"), inPath)
}

// checkProblems wants every other answer to be a Problem.
func checkProblems(t *testing.T, operation *openapi3.Operation) {
	t.Helper()
	require.NotNil(t, operation.Responses.Default())
	for status, response := range operation.Responses.Map() {
		if status == "200" || status == "204" {
			continue
		}
		content := response.Value.Content
		require.Equal(t, []string{TypeProblem}, keysOf(content), status)
		requireRef(t, Problem{}, content[TypeProblem].Schema)
	}
}

func requireRef(t *testing.T, value any, schema *openapi3.SchemaRef) {
	t.Helper()
	require.Equal(t, schemas+reflect.TypeOf(value).Name(), schema.Ref)
}

// TestTheDocumentHasTheTypes compares in both directions: what is reachable
// from a body, what the package declares and what the document describes are
// the same.
func TestTheDocumentHasTheTypes(t *testing.T) {
	doc := document(t)
	reachable := map[string]reflect.Type{}
	reach(reachable, reflect.TypeFor[Problem]())
	for _, o := range operations {
		if o.takes != nil {
			reach(reachable, reflect.TypeOf(o.takes))
		}
		for _, value := range o.gives {
			reach(reachable, reflect.TypeOf(value))
		}
	}
	structs, values := declared(t)
	require.ElementsMatch(t, append(structs, keysOf(values)...), keysOf(reachable), "declared but in no body, or the other way round")
	require.Equal(t, keysOf(reachable), keysOf(doc.Components.Schemas))
	for name, kind := range reachable {
		t.Run(name, func(t *testing.T) {
			schema := doc.Components.Schemas[name].Value
			require.NotEmpty(t, schema.Description)
			if kind.Kind() == reflect.String {
				require.True(t, schema.Type.Is("string"))
				require.ElementsMatch(t, values[name], schema.Enum)
				return
			}
			checkStruct(t, kind, schema)
		})
	}
}

// reach collects the named types of JSON values that t consists of.
func reach(into map[string]reflect.Type, t reflect.Type) {
	switch {
	case t == reflect.TypeFor[time.Time]():
	case t.Kind() == reflect.Pointer, t.Kind() == reflect.Slice, t.Kind() == reflect.Map:
		reach(into, t.Elem())
	case t.Kind() == reflect.String && t.Name() != "string":
		into[t.Name()] = t
	case t.Kind() == reflect.Struct && into[t.Name()] == nil:
		into[t.Name()] = t
		for field := range t.Fields() {
			if name, _ := jsonName(field); name != "-" {
				reach(into, field.Type)
			}
		}
	}
}

func jsonName(field reflect.StructField) (name string, optional bool) {
	name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
	return name, options == "omitempty" || options == "omitzero"
}

func checkStruct(t *testing.T, kind reflect.Type, schema *openapi3.Schema) {
	t.Helper()
	properties, required := []string{}, []string{}
	for field := range kind.Fields() {
		name, optional := jsonName(field)
		require.NotEmpty(t, name, "%s has no JSON name", field.Name)
		if name == "-" {
			continue
		}
		properties = append(properties, name)
		if !optional {
			required = append(required, name)
		}
		if property := schema.Properties[name]; property != nil {
			require.Equal(t, shapeOf(field.Type), shapeIn(property), name)
		}
	}
	slices.Sort(properties)
	require.Equal(t, properties, keysOf(schema.Properties))
	require.ElementsMatch(t, required, schema.Required, "fields that are always there")
}

// shapeOf is the kind of JSON value that a type becomes.
func shapeOf(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		if t.Elem().Kind() == reflect.String {
			return "string or null"
		}
		return shapeOf(t.Elem())
	case reflect.Slice:
		return "list of " + shapeOf(t.Elem())
	case reflect.Map:
		return "map of " + shapeOf(t.Elem())
	case reflect.Bool:
		return "boolean"
	case reflect.Float64:
		return "number double"
	case reflect.Int:
		return "integer"
	case reflect.Int64, reflect.Uint64:
		return "integer " + t.Kind().String()
	}
	switch {
	case t == reflect.TypeFor[time.Time]():
		return "string date-time"
	case t == reflect.TypeFor[string]():
		return "string"
	}
	return schemas + t.Name()
}

// shapeIn is the same of a schema.
func shapeIn(ref *openapi3.SchemaRef) string {
	schema := ref.Value
	switch {
	case ref.Ref != "":
		return ref.Ref
	case schema.Type.Is("array"):
		return "list of " + shapeIn(schema.Items)
	case schema.Type.Is("object"):
		return "map of " + shapeIn(schema.AdditionalProperties.Schema)
	}
	return strings.TrimSpace(strings.Join(*schema.Type, " or ") + " " + schema.Format)
}

// declared reads the package's source: structs with JSON names, and the values
// of string types.
func declared(t *testing.T) (structs []string, values map[string][]any) {
	t.Helper()
	values = map[string][]any{}
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		require.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.TypeSpec:
				if s, ok := n.Type.(*ast.StructType); ok && hasTags(s) {
					structs = append(structs, n.Name.Name)
				}
			case *ast.ValueSpec:
				kind, ok := n.Type.(*ast.Ident)
				if !ok || !kind.IsExported() || len(n.Values) != 1 {
					break
				}
				if literal, ok := n.Values[0].(*ast.BasicLit); ok && literal.Kind == token.STRING {
					value, err := strconv.Unquote(literal.Value)
					require.NoError(t, err)
					values[kind.Name] = append(values[kind.Name], value)
				}
			}
			return true
		})
	}
	return structs, values
}

func hasTags(s *ast.StructType) bool {
	return slices.ContainsFunc(s.Fields.List, func(f *ast.Field) bool { return f.Tag != nil && strings.Contains(f.Tag.Value, "json:") })
}
