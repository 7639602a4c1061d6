/** Requirements of tests that a machine may lack: `npm test` names each in its last lines, with the tests left out. */

declare module 'vitest' {
  interface TaskMeta {
    /** Why the test may be left out. */
    needs?: string
  }
}

interface Need {
  there: boolean
  /** In tests: `describe.runIf(gost.there)('signatures', gost.options, …)`. */
  options: { meta: { needs: string } }
}

/** @param what in Russian, for the person who runs the tests: the program or the files, and how to get them */
export const need = (what: string, there: unknown): Need => ({
  there: Boolean(there),
  options: { meta: { needs: what } },
})

/** Tests that take minutes. */
export const long = need('Долгие проверки (npm test -- long)', process.env.TEST_LONG)
export const linux = need('Проверки для Linux', process.platform === 'linux')
