import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { giveWay } from './giveWay.ts'

vi.mock('node:fs', async (original) => ({ ...(await original<typeof import('node:fs')>()), writeFile: vi.fn() }))

test.runIf(process.platform === 'linux')(
  'a session whose priority the system does not change just now is asked for again, one that is gone is not',
  async ({ onTestFinished }) => {
    const child = spawn('sleep', ['10'], { stdio: 'ignore' })
    onTestFinished(() => void child.kill())
    await once(child, 'spawn')
    const answers = ['EAGAIN', 'EAGAIN', 'ENOENT']
    vi.mocked(writeFile).mockImplementation(((_path: string, _data: string, done: (error: Error) => void) =>
      done(Object.assign(new Error(), { code: answers.shift() }))) as typeof writeFile)
    giveWay(child, 7)
    await vi.waitFor(() => expect(answers).toEqual([]))
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(vi.mocked(writeFile).mock.calls.map(([path, data]) => [path, data])).toEqual(
      Array.from({ length: 3 }, () => [`/proc/${child.pid}/autogroup`, '7']),
    )
  },
)
