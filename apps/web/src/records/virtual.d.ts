declare module 'virtual:briefs' {
  export const briefs: readonly import('@ordinator/model/brief').Brief[]
}
