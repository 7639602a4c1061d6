import type { Filial } from '@ordinator/model/areas/filials/filial'
import type { Hit } from '@ordinator/model/areas/visits/calls'
import type { Row } from '@ordinator/model/entity'
import { useRef, useState } from 'react'
import { mondayOf } from '../day.ts'
import { useScheduleRights } from '../rights.ts'
import { FillDialog } from './FillDialog.tsx'
import { HangingDialog } from './HangingDialog.tsx'

interface Props {
  filial: Pick<Row<typeof Filial>, 'id'>
  /** The displayed day, or today. */
  today: string
  onClose: () => void
}

/** Absence of a doctor: first the absence, then the affected visits. */
export default function AbsenceHost({ filial, today, onClose }: Props) {
  const rights = useScheduleRights()
  const [hits, setHits] = useState<readonly Hit[]>([])
  const goesOn = useRef(false)
  if (hits.length > 0) return <HangingDialog hits={hits} doctors={[]} onClose={onClose} />
  return (
    <FillDialog
      absence
      idFilial={filial.id}
      monday={mondayOf(today)}
      today={today}
      onHit={(found) => {
        goesOn.current = rights.edit && found.length > 0
        if (goesOn.current) setHits(found)
      }}
      onClose={() => !goesOn.current && onClose()}
    />
  )
}
