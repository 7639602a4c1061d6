import { writeFileSync } from 'node:fs'
import sharp from 'sharp'

const W = 11400
const kind = process.argv[2]!
const mk = () => sharp({ create: { width: W, height: W, channels: 3, background: '#2f9e44' }, limitInputPixels: false })
const f = '/tmp/n1bomb.' + kind
if (process.argv[3] === 'make') {
  const W2 = kind.startsWith('avif') || kind.startsWith('webp') || kind === 'gif' ? 7000 : W
  const m = sharp({ create: { width: W2, height: W2, channels: 3, background: '#2f9e44' }, limitInputPixels: false })
  const b =
    kind === 'pngi'
      ? m.png({ progressive: true })
      : kind === 'png'
        ? m.png()
        : kind === 'jpg'
          ? m.jpeg()
          : kind === 'jpgp'
            ? m.jpeg({ progressive: true })
            : kind === 'jpgr'
              ? m.jpeg({}).withMetadata({ orientation: 6 })
              : kind === 'webp'
                ? m.webp()
                : kind === 'gif'
                  ? m.gif()
                  : m.avif({ effort: 0 })
  await b.toFile(f.replace(/pngi/, 'i.png').replace(/jpgp/, 'p.jpg').replace(/jpgr/, 'r.jpg'))
} else {
  const { previewsOf } = await import('../apps/server/src/areas/files/previews.ts')
  const rss = () => Math.round(process.memoryUsage().rss / 1e6)
  const before = rss()
  let peak = 0
  const t = setInterval(() => {
    peak = Math.max(peak, rss())
  }, 10)
  const began = Date.now()
  await previewsOf(
    f.replace(/pngi/, 'i.png').replace(/jpgp/, 'p.jpg').replace(/jpgr/, 'r.jpg'),
    kind.slice(0, kind.startsWith('webp') || kind === 'avif' ? 4 : 3),
  ).catch((e) => console.log(String(e.message)))
  clearInterval(t)
  console.log(kind, { before, peak, after: rss(), ms: Date.now() - began })
}
