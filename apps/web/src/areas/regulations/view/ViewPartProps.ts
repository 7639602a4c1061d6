import type { RegulationView } from '@ordinator/model/areas/regulations/wire'

/** What every part of the open regulation is given. */
export interface ViewPartProps {
  view: RegulationView
}
