declare module 'virtual:guide' {
  export const guide: readonly import('@ordinator/model/guide').GuidePage[]
  /** URLs of screenshots by page key. */
  export const pictures: Readonly<Record<string, string>>
}
