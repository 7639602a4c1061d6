import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { removeAbandoned } from './templates.ts'

it('folders of checkouts that are gone are removed, and no others', () => {
  const memory = mkdtempSync(join(tmpdir(), 'memory-'))
  const folder = (name: string, owner?: string) => {
    mkdirSync(join(memory, name, 'pg'), { recursive: true })
    if (owner !== undefined) writeFileSync(join(memory, name, 'checkout'), owner)
    return join(memory, name)
  }
  const gone = folder('ordinator-0-a', join(memory, 'nowhere'))
  const kept = [folder('ordinator-0-b', memory), folder('ordinator-0-c'), folder('other-0-d', join(memory, 'nowhere'))]
  removeAbandoned(memory, 'ordinator-0-')
  expect(existsSync(gone)).toBe(false)
  expect(kept.filter((path) => !existsSync(path))).toEqual([])
})
