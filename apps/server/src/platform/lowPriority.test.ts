import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { linux } from '@ordinator/model/testing/needs'
import { expect, test, vi } from 'vitest'
import { lowerPriority } from './lowPriority.ts'

test.runIf(linux.there)(
  'a session whose priority the system does not change just now is asked for again, one that is gone is not',
  linux.options,
  async ({ onTestFinished }) => {
    vi.stubEnv('GIVE_WAY', undefined)
    onTestFinished(() => void vi.unstubAllEnvs())
    const child = spawn('sleep', ['10'], { stdio: 'ignore' })
    onTestFinished(() => void child.kill())
    await once(child, 'spawn')
    const answers = ['EAGAIN', 'EAGAIN', 'ENOENT']
    const asked = vi
      .spyOn(fs, 'writeFile')
      .mockImplementation(((_path, _data, done: (error: Error) => void) =>
        done(Object.assign(new Error(), { code: answers.shift() }))) as typeof fs.writeFile)
    onTestFinished(() => asked.mockRestore())
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    lowerPriority(child, 7)
    await vi.runAllTimersAsync()
    expect(asked.mock.calls.map(([path, data]) => [path, data])).toEqual(
      Array.from({ length: 3 }, () => [`/proc/${child.pid}/autogroup`, '7']),
    )
  },
)
