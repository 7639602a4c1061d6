import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { upload } from './upload.ts'

/** Queued answers of the server. */
let answers: { status: number; body: unknown }[]
let sent: number

class Request {
  upload = {}
  status = 0
  responseText = ''
  onload = () => {}
  open() {}
  setRequestHeader() {}
  getResponseHeader = (name: string) => (name === 'Retry-After' ? '2' : null)
  send() {
    sent++
    const { status, body } = answers.shift() ?? { status: 500, body: {} }
    Object.assign(this, { status, responseText: JSON.stringify(body) })
    queueMicrotask(() => this.onload())
  }
}

const busy = { status: 503, body: { name: 'Error', status: 503, code: 'pictures', message: 'Сервер сейчас занят' } }
const file = () => new File(['x'], 'фото.png')

beforeEach(() => {
  sent = 0
  vi.stubGlobal('XMLHttpRequest', Request)
  vi.stubGlobal('localStorage', { getItem: () => null })
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a picture for which the server had no time is sent again, twice at most', async () => {
  answers = [busy, { status: 201, body: { id: 5 } }]
  const done = upload<{ id: number }>('/files', file())
  await vi.advanceTimersByTimeAsync(1_900)
  expect(sent).toBe(1)
  await vi.advanceTimersByTimeAsync(200)
  expect(await done).toEqual({ id: 5 })
  answers = [busy, busy, busy, { status: 201, body: { id: 6 } }]
  const refused = expect(upload('/files', file())).rejects.toMatchObject({
    status: 503,
    message: 'Сервер сейчас занят',
  })
  await vi.advanceTimersByTimeAsync(10_000)
  await refused
  expect(sent).toBe(5)
})

test('what is refused for another reason is not', async () => {
  answers = [{ status: 422, body: [{ field: 'file', message: 'Картинка повреждена' }] }]
  await expect(upload('/files', file())).rejects.toMatchObject({ status: 422 })
  expect(sent).toBe(1)
})
