import type { RegulationView } from '@ordinator/model/areas/regulations/wire'

/** Props of all parts of the open regulation. */
export interface ViewPartProps {
  view: RegulationView
}
