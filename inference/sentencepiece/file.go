package sentencepiece

import (
	"errors"
	"fmt"
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// Field numbers of the model file, from sentencepiece_model.proto.
const (
	modelPieces       protowire.Number = 1
	modelTrainer      protowire.Number = 2
	modelNormalizer   protowire.Number = 3
	modelDenormalizer protowire.Number = 5

	pieceText  protowire.Number = 1
	pieceScore protowire.Number = 2
	pieceType  protowire.Number = 3

	trainerModelType          protowire.Number = 3
	trainerWhitespaceAsSuffix protowire.Number = 24
	trainerByteFallback       protowire.Number = 35
	trainerUnknownSurface     protowire.Number = 44

	normalizerCharsmap    protowire.Number = 2
	normalizerDummyPrefix protowire.Number = 3
	normalizerRemoveExtra protowire.Number = 4
	normalizerEscape      protowire.Number = 5
)

// modelFile is what a model file says, before anything is built from it.
type modelFile struct {
	pieces       []pieceRecord
	trainer      trainerSpec
	normalizer   normalizerSpec
	denormalizer normalizerSpec

	hasNormalizer bool
}

type trainerSpec struct {
	modelType          uint64
	whitespaceAsSuffix bool
	byteFallback       bool
	unknownSurface     string
}

type normalizerSpec struct {
	charsmap    []byte
	dummyPrefix bool
	removeExtra bool
	escape      bool
}

// defaultSpec holds the defaults of the proto file, which writers leave out.
var defaultSpec = normalizerSpec{dummyPrefix: true, removeExtra: true, escape: true}

const modelTypeBPE = 2

var modelTypes = map[uint64]string{1: "unigram", modelTypeBPE: "BPE", 3: "word", 4: "character"}

// check refuses what would otherwise be split wrongly without a sign.
func (t trainerSpec) check() error {
	if t.modelType != modelTypeBPE {
		name, known := modelTypes[t.modelType]
		if !known {
			name = fmt.Sprintf("type %d", t.modelType)
		}
		return fmt.Errorf("this is a SentencePiece %s model, only BPE models are supported (M2M-100's are BPE)", name)
	}
	if t.byteFallback {
		return errors.New("byte fallback is not supported (M2M-100's models do without)")
	}
	if t.whitespaceAsSuffix {
		return errors.New("white space as a suffix of words is not supported (M2M-100's models have it as a prefix)")
	}
	return nil
}

// parseFile reads the protocol buffer. Piece texts and character maps refer
// to data.
func parseFile(data []byte) (*modelFile, error) {
	if len(data) == 0 {
		return nil, errors.New("the file is empty")
	}
	if len(data) > math.MaxInt32 {
		return nil, fmt.Errorf("%d bytes are too many for a SentencePiece model", len(data))
	}
	f := &modelFile{
		// An entry of a real model takes some 19 bytes.
		pieces:       make([]pieceRecord, 0, len(data)/18),
		trainer:      trainerSpec{modelType: 1, unknownSurface: " \u2047 "},
		normalizer:   defaultSpec,
		denormalizer: defaultSpec,
	}
	err := eachField(data, 0, func(num protowire.Number, v fieldValue) error {
		switch num {
		case modelPieces:
			p, err := parsePiece(v)
			if err != nil {
				return fmt.Errorf("piece %d: %w", len(f.pieces), err)
			}
			f.pieces = append(f.pieces, p)
		case modelTrainer:
			return f.trainer.parse(v)
		case modelNormalizer:
			f.hasNormalizer = true
			return f.normalizer.parse(v)
		case modelDenormalizer:
			return f.denormalizer.parse(v)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if !f.hasNormalizer {
		// It is the last part of the file, and text would be cut wrongly
		// without it.
		return nil, fmt.Errorf("the normaliser is missing: the file is cut off after %d bytes or is not a SentencePiece model", len(data))
	}
	return f, nil
}

func parsePiece(message fieldValue) (pieceRecord, error) {
	p := pieceRecord{kind: kindNormal}
	err := eachField(message.bytes, message.at, func(num protowire.Number, v fieldValue) error {
		switch num {
		case pieceText:
			p.start, p.end = uint32(v.at), uint32(v.at+len(v.bytes))
		case pieceScore:
			p.score = math.Float32frombits(uint32(v.number))
			if p.score != p.score {
				return fmt.Errorf("its score is not a number (byte %d)", v.at)
			}
		case pieceType:
			if v.number < uint64(kindNormal) || v.number > uint64(kindByte) {
				return fmt.Errorf("unknown type %d (byte %d)", v.number, v.at)
			}
			p.kind = pieceKind(v.number)
		}
		return nil
	})
	return p, err
}

func (t *trainerSpec) parse(message fieldValue) error {
	return eachField(message.bytes, message.at, func(num protowire.Number, v fieldValue) error {
		switch num {
		case trainerModelType:
			t.modelType = v.number
		case trainerWhitespaceAsSuffix:
			t.whitespaceAsSuffix = v.number != 0
		case trainerByteFallback:
			t.byteFallback = v.number != 0
		case trainerUnknownSurface:
			t.unknownSurface = string(v.bytes)
		}
		return nil
	})
}

func (n *normalizerSpec) parse(message fieldValue) error {
	return eachField(message.bytes, message.at, func(num protowire.Number, v fieldValue) error {
		switch num {
		case normalizerCharsmap:
			n.charsmap = v.bytes
		case normalizerDummyPrefix:
			n.dummyPrefix = v.number != 0
		case normalizerRemoveExtra:
			n.removeExtra = v.number != 0
		case normalizerEscape:
			n.escape = v.number != 0
		}
		return nil
	})
}

// fieldValue is a field's content: bytes for the length-delimited types,
// number (raw bits) for the others.
type fieldValue struct {
	bytes  []byte
	number uint64
	at     int // byte of the file where the content begins
}

// eachField calls f for every field of a message that begins at byte `at` of
// the file.
func eachField(message []byte, at int, f func(protowire.Number, fieldValue) error) error {
	for rest := message; len(rest) > 0; {
		num, typ, n := protowire.ConsumeTag(rest)
		if n < 0 {
			return brokenAt(at+len(message)-len(rest), n)
		}
		rest = rest[n:]
		v := fieldValue{at: at + len(message) - len(rest)}
		switch typ {
		case protowire.BytesType:
			v.bytes, n = protowire.ConsumeBytes(rest)
			v.at += n - len(v.bytes)
		case protowire.VarintType:
			v.number, n = protowire.ConsumeVarint(rest)
		case protowire.Fixed32Type:
			var bits uint32
			bits, n = protowire.ConsumeFixed32(rest)
			v.number = uint64(bits)
		default:
			n = protowire.ConsumeFieldValue(num, typ, rest)
		}
		if n < 0 {
			return brokenAt(at+len(message)-len(rest), n)
		}
		rest = rest[n:]
		if err := f(num, v); err != nil {
			return err
		}
	}
	return nil
}

func brokenAt(at, code int) error {
	return fmt.Errorf("broken or not a SentencePiece model, at byte %d: %w", at, protowire.ParseError(code))
}
