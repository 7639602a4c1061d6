/** The child process that decodes pictures: one job in, its outcome out. Its limit of resident bytes is an argument. */
import { flushCompileCache } from 'node:module'
import sharp from 'sharp'
import type { Drawn, Job, Look, Outcome, Plan, Source } from './decoding.ts'
import { MAX_PIXELS } from './decoding.ts'

const WATCH_MS = 20
const maxRss = Number(process.argv[2])

// libvips would cache what it has decoded, and use as many threads as there are cores.
sharp.cache(false)
sharp.concurrency(1)

// The process is killed at its end, so save the compile cache for the next one now.
flushCompileCache()

/** A regular exit would wait until libvips has finished. */
const end = () => process.kill(process.pid, 'SIGKILL')

setInterval(() => {
  if (process.memoryUsage.rss() > maxRss) end()
}, WATCH_MS).unref()
process.on('disconnect', end)
// Ctrl+C reaches every process of the terminal; the server decides when this one ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
process.on('message', async (job: Job) => {
  const outcome = await outcomeOf(job)
  process.send?.(outcome)
})

async function outcomeOf(job: Job): Promise<Outcome> {
  try {
    const done = 'look' in job ? await look(job.look) : await draw(job.draw, job.plan)
    return { done, rss: process.memoryUsage.rss() }
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error), rss: process.memoryUsage.rss() }
  }
}

async function look(source: Source): Promise<Look> {
  const { autoOrient, isProgressive = false, pages = 1 } = await sharp(source, { limitInputPixels: false }).metadata()
  return { width: autoOrient.width, height: autoOrient.height, isProgressive, pages }
}

async function draw(source: Source, { maxPixels = MAX_PIXELS, failOn, resize, copies }: Plan): Promise<Drawn[]> {
  const { data, info } = await sharp(source, { limitInputPixels: maxPixels, failOn })
    .autoOrient()
    .resize(resize)
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  const drawn: Drawn[] = []
  for (const { side, format, quality } of copies) {
    const image = sharp(data, { raw: { width, height, channels } })
    if (side) image.resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
    if (format === 'jpeg') image.flatten({ background: '#fff' }).jpeg({ quality })
    else if (format === 'png') image.png({ compressionLevel: 9 })
    else image.webp({ quality })
    const made = await image.toBuffer({ resolveWithObject: true })
    drawn.push({ bytes: made.data, width: made.info.width, height: made.info.height })
  }
  return drawn
}
