import { dueKinds } from '@ordinator/model/areas/eln/rules'
import { IconFileCertificate } from '@tabler/icons-react'
import { PageLink } from '#base/PageLink.tsx'
import { CountsCard } from '#kit/CountsCard.tsx'
import { useRevealDelay } from '#kit/RevealTogether.tsx'
import { Fine } from '#kit/Words.tsx'
import { useLeaveFigures } from './LeaveFigures.tsx'

const late = new Set(['overdue', 'rejected', 'former', 'dispute', 'today'])

/** Dashboard block: sick leaves with work due today. */
export default function LeaveBlock() {
  const answer = useLeaveFigures()
  useRevealDelay(answer.isLoading)
  const { data } = answer
  return (
    <CountsCard
      title="Больничные"
      icon={<IconFileCertificate size={18} />}
      answer={answer}
      none="Сегодня по больничным делать нечего."
      tiles={(data?.due ?? []).map(({ kind, count }) => ({
        count,
        label: dueKinds[kind],
        late: late.has(kind),
        to: (face) => <PageLink page="sickLeaves" search={{ due: kind }} {...face} />,
      }))}
    >
      {data && (
        <Fine component="p" mt={8}>
          Открыто листов: {data.open}. Номеров в запасе: {data.freeNumbers}
          {data.poolIsLow && ' — пора запросить'}
        </Fine>
      )}
    </CountsCard>
  )
}
