import { IconHourglass } from '@tabler/icons-react'
import { StatePage } from '../kit/StatePage.tsx'

/** A page whose screen is not there yet. */
export default function Pending() {
  return <StatePage icon={IconHourglass} title="Раздел готовится" />
}
