export { MAX_VIEW_NAME } from '@ordinator/model/areas/settings/sharedView'

/** A named state of a screen. */
export interface NamedView {
  key: string
  name: string
}
