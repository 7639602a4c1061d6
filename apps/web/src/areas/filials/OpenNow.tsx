import { type Filial, FilialHoliday } from '@ordinator/model/areas/filials/filial'
import type { Row } from '@ordinator/model/entity'
import { openText } from '@ordinator/model/hours'
import { dayIn, zoneFor } from '@ordinator/model/zone'
import { zoneNow } from '#kit/clock.ts'
import { Dot, HStack } from '#kit/Stacks.tsx'
import { useList } from '#records/reads.ts'

const DAY = 86_400_000
const MAX = 500

/** Open or closed now, in the branch's time zone. */
export function OpenNow({ filial }: { filial: Pick<Row<typeof Filial>, 'id' | 'workingHours' | 'timeZone'> }) {
  const now = new Date()
  const timeZone = zoneFor(zoneNow(), filial.timeZone)
  // For all branches: their local days differ by one at most.
  const days = useList(
    FilialHoliday,
    { filter: { day: { gte: dayIn('UTC', now.getTime() - DAY), lte: dayIn('UTC', now.getTime() + DAY) } }, limit: MAX },
    { forbidden: 'silent' },
  )
  if (!filial.workingHours) return null
  const own = (days.data?.items ?? []).filter(({ idFilial }) => idFilial === filial.id)
  const { open, text } = openText({ week: filial.workingHours, days: own, timeZone }, now)
  return (
    <HStack component="span" gap={6} miw={0} c={open ? undefined : 'dimmed'}>
      <Dot color={open ? 'var(--ord-online)' : 'var(--mantine-color-dimmed)'} />
      <span className="truncate" title={text}>
        {text}
      </span>
    </HStack>
  )
}
