import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import vm from 'node:vm'
import { expect, test } from 'vitest'
import { withoutEval } from '../../../../cryptoPro.ts'

const source = withoutEval(readFileSync(createRequire(import.meta.url).resolve('crypto-pro'), 'utf8'))

/** The browser's part of the plug-in: objects whose properties and methods answer later. */
function browserPlugin() {
  const certificate = {
    SubjectName: Promise.resolve('CN=Иванова Анна, O=Клиника'),
    IssuerName: Promise.resolve('CN=УЦ'),
    Thumbprint: Promise.resolve('AB12'),
    ValidFromDate: Promise.resolve('2026-01-01'),
    ValidToDate: Promise.resolve('2027-01-01'),
    Export: async () => 'BASE64',
  }
  const found = { Count: Promise.resolve(1), Item: async () => certificate, Find: async (): Promise<unknown> => found }
  return {
    set_log_level: () => {},
    CreateObjectAsync: async () => ({ Open: async () => {}, Close: () => {}, Certificates: Promise.resolve(found) }),
    async_spawn: (work: () => Generator) => {
      const run = work()
      const next = (value?: unknown): unknown => {
        const step = run.next(value)
        return step.done ? step.value : Promise.resolve(step.value).then(next)
      }
      return next()
    },
  }
}

test('the library reads certificates where the security policy forbids code made from text', async () => {
  const module = {
    exports: {} as { getUserCertificates(): Promise<{ name: string; exportBase64(): Promise<string> }[]> },
  }
  const window = { Promise, cadesplugin: browserPlugin() }
  const context = vm.createContext(
    { module, exports: module.exports, window, console },
    { codeGeneration: { strings: false, wasm: false } },
  )
  // The plug-in's own script talks to a browser extension: replaced by the one above.
  vm.runInContext(source.replace(/__webpack_require__\([^)]*cadesplugin_api\.js"\)/, 'undefined'), context)
  const [first] = await module.exports.getUserCertificates()
  expect(first?.name).toBe('Иванова Анна')
  expect(await first?.exportBase64()).toBe('BASE64')
})
