export interface Package {
  name: string
  version: string
  /** The SPDX expression declared by the package. */
  licence: string | undefined
  integrity: string | undefined
  /** A development dependency, not delivered. */
  isDev: boolean
  isOptional: boolean
}
export function packagesOf(): Package[]
