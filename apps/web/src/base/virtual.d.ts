declare module 'virtual:reports' {
  export const reports: readonly import('@ordinator/model/report').Report[]
}
