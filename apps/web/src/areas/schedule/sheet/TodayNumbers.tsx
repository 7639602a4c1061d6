import { IconCalendarTime } from '@tabler/icons-react'
import { PageLink } from '#base/PageLink.tsx'
import { NumberTile } from '#kit/NumberTile.tsx'
import { useRevealDelay } from '#kit/RevealTogether.tsx'
import { Tiles } from '#kit/Stacks.tsx'
import { WidgetCard } from '#kit/WidgetCard.tsx'
import { useWallNow } from '../day.ts'
import { useDay } from '../useDay.ts'
import { useFilial } from '../useFilial.ts'
import { fits, linesOf, type SheetFilter, sheetFilters } from './lines.ts'

const asked: SheetFilter[] = ['expected', 'late', 'waits', 'inside', 'came', 'absent']
const pressing = new Set<SheetFilter>(['late', 'absent'])

/** Progress of the day in the user's branch: counts of the front desk, each with a link. */
export default function TodayNumbers() {
  const { filials, filial, timeZone, isPending } = useFilial(undefined)
  const clock = useWallNow(timeZone)
  const answer = useDay(filial && { idFilial: filial.id, date: clock.today, cancelled: true })
  useRevealDelay(isPending || answer.isLoading)
  if (!filial || (!answer.data && !answer.isError)) return null
  const lines = linesOf(answer.data?.visits ?? [], clock)
  return (
    <WidgetCard
      title={filials.length > 1 ? `Сегодня: ${filial.nameFilial}` : 'Сегодня в клинике'}
      icon={<IconCalendarTime size={18} />}
      count={lines.filter((line) => fits('all', line)).length}
      load={answer}
      none={lines.length === 0 && 'На сегодня никто не записан.'}
    >
      <Tiles tile={156} gap={8} pt={4}>
        {asked.map((show) => (
          <NumberTile
            key={show}
            count={lines.filter((line) => fits(show, line)).length}
            label={sheetFilters[show]}
            late={pressing.has(show)}
          >
            {(face) => <PageLink page="daySheet" search={{ filial: filial.id, show }} {...face} />}
          </NumberTile>
        ))}
      </Tiles>
    </WidgetCard>
  )
}
