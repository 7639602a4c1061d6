import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { createPress, drawing } from './pdfPool.ts'

const slow = drawing<typeof import('./testing/drawProbe.ts')>(new URL('./testing/drawProbe.ts', import.meta.url))
const silent = { warn() {} }

it('draws beside the server, whose own thread goes on meanwhile', async () => {
  const press = createPress(silent)
  let beats = 0
  const heart = setInterval(() => beats++, 5)
  expect(await press.run(slow, { busyMs: 300, text: 'готово' }, { id: 1 })).toEqual(
    new Uint8Array(Buffer.from('готово')),
  )
  clearInterval(heart)
  expect(beats).toBeGreaterThan(10)
  await press.close()
})

it('cuts off what would never end, gives the reason of a refused paper, and goes on', async () => {
  const press = createPress(silent, { workMs: 2_500, clockMs: 240_000 })
  const who = { id: 1 }
  await expect(press.run(slow, { busyMs: 60_000, text: '' }, who)).rejects.toThrow('слишком велик или сложен')
  await expect(press.run(slow, { busyMs: 0, text: '', refusal: 'Строк слишком много' }, who)).rejects.toMatchObject({
    status: 400,
    message: 'Строк слишком много',
  })
  expect(Buffer.from(await press.run(slow, { busyMs: 0, text: 'да' }, who)).toString()).toBe('да')
  await press.close()
})

it('a person who asks for hundreds of papers at once is asked to wait, and a colleague gets theirs', async () => {
  const press = createPress(silent)
  const asked = Array.from({ length: 130 }, () =>
    press.run(slow, { busyMs: 2, text: '' }, { id: 1 }).then(
      () => 200,
      (error: { status: number }) => error.status,
    ),
  )
  expect(Buffer.from(await press.run(slow, { busyMs: 0, text: 'мой' }, { id: 2 })).toString()).toBe('мой')
  const answers = await Promise.all(asked)
  expect(answers.filter((status) => status === 429).length).toBeGreaterThan(0)
  expect(answers.filter((status) => status === 200).length).toBeGreaterThan(100)
  await press.close()
})

/** Libraries that draw documents: loaded only in the worker. */
const DRAWS = /\b(pdfOf|Packer)\b|platform\/pdfBlocks/

it('nothing draws a paper on the thread of the server', async () => {
  const areas = new URL('../areas/', import.meta.url).pathname
  const found: string[] = []
  for await (const file of glob('**/*.ts', { cwd: areas }))
    if (!file.endsWith('.test.ts') && DRAWS.test(readFileSync(areas + file, 'utf8'))) found.push(file)
  expect(found.length).toBeGreaterThan(3)
  // `prints/paper.ts` is what `prints/drawPrint.ts` draws with.
  expect(found.filter((file) => !/\/draw[A-Z]\w*\.ts$|^prints\/paper\.ts$/.test(file))).toEqual([])
})
