export interface Package {
  name: string
  version: string
  /** An SPDX expression, as the package says it. */
  licence: string | undefined
  integrity: string | undefined
  /** Not in what is delivered. */
  isDev: boolean
  isOptional: boolean
}
export function packagesOf(): Package[]
