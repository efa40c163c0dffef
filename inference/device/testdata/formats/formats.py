"""Writes one matrix multiplication with weights of each format as FORMAT.xml and runs it on the CPU. Needs the openvino wheel."""
import numpy as np, openvino as ov, sys
from openvino import opset13 as op
D=512; rng=np.random.default_rng(1)
w=(rng.standard_normal((D,D),dtype=np.float32)/np.sqrt(D)).astype(np.float32)
def scale(x,top): return np.abs(x).max(-1,keepdims=True)/top
def model(fmt):
    x=op.parameter([1,32,D],np.float32,name='x'); x.output(0).set_names({'x'})
    f16=np.float16
    if fmt=='f32': m=op.constant(w)
    elif fmt=='f16': m=op.convert(op.constant(w.astype(f16)),'f32')
    elif fmt=='bf16': m=op.convert(op.constant(w,ov.Type.bf16),'f32')
    elif fmt in('int8','int4-row'):
        top=127 if fmt=='int8' else 7; s=scale(w,top); q=np.clip(np.rint(w/s),-top,top).astype(np.int8)
        c=op.constant(q) if fmt=='int8' else op.constant(q,ov.Type.i4)
        m=op.convert(op.multiply(op.convert(c,'f16'),op.constant(s.astype(f16))),'f32')
    elif fmt in('int8-asym','int4-asym'):
        top=255 if fmt=='int8-asym' else 15; lo=w.min(-1,keepdims=True); s=(w.max(-1,keepdims=True)-lo)/top
        zp=np.clip(np.rint(-lo/s),0,top).astype(np.uint8); q=np.clip(np.rint(w/s)+zp,0,top).astype(np.uint8)
        mk=(lambda a: op.constant(a)) if fmt=='int8-asym' else (lambda a: op.constant(a,ov.Type.u4))
        m=op.convert(op.multiply(op.subtract(op.convert(mk(q),'f16'),op.convert(mk(zp),'f16')),op.constant(s.astype(f16))),'f32')
    elif fmt=='int4':
        g=w.reshape(D,D//128,128); s=scale(g,7); q=np.clip(np.rint(g/s),-7,7).astype(np.int8)
        m=op.reshape(op.multiply(op.convert(op.constant(q,ov.Type.i4),'f16'),op.constant(s.astype(f16))),op.constant(np.array([D,D],np.int64)),False)
        m=op.convert(m,'f32')
    elif fmt=='nf4':
        s=scale(w,1); m=op.convert(op.multiply(op.convert(op.constant((w/s).astype(np.float32),ov.Type.nf4),'f16'),op.constant(s.astype(f16))),'f32')
    elif fmt=='f8e4m3':
        s=scale(w,448); m=op.convert(op.multiply(op.convert(op.constant((w/s).astype(np.float32),ov.Type.f8e4m3),'f16'),op.constant(s.astype(f16))),'f32')
    r=op.matmul(x,m,False,True); r.output(0).set_names({'y'})
    return ov.Model([op.result(r)],[x],'tiny')
core=ov.Core(); X=rng.standard_normal((1,32,D),dtype=np.float32); want=X@w.T
for f in 'f32 f16 bf16 int8 int8-asym int4 int4-row int4-asym nf4 f8e4m3'.split():
    try:
        m=model(f); ov.save_model(m,f'{f}.xml',compress_to_fp16=False)
        y=core.compile_model(f'{f}.xml','CPU',{'INFERENCE_PRECISION_HINT':'f32'})(X)[0]
        print(f,'relative error',float(np.linalg.norm(y-want)/np.linalg.norm(want)))
    except Exception as e: print(f,'FAIL',str(e)[:300])
