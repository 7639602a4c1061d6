import { CashDesk } from '@ordinator/model/areas/money/desk'
import { formatMoney } from '@ordinator/model/format'
import { IconCash } from '@tabler/icons-react'
import { PageLink } from '#base/PageLink.tsx'
import { CountsCard } from '#kit/CountsCard.tsx'
import { formatDateTime } from '#kit/clock.ts'
import { useRevealDelay } from '#kit/RevealTogether.tsx'
import { Fine } from '#kit/Words.tsx'
import { useList } from '#records/reads.ts'
import { lastDesk, useDeskState } from '../reads.ts'

const MAX_DESKS = 100

/** Dashboard block: shift of this browser's desk, drawer, pending receipts. */
export default function CashBlock() {
  const desks = useList(
    CashDesk,
    { limit: MAX_DESKS, filter: { active: true }, fields: ['name'] },
    { forbidden: 'silent', known: true },
  )
  const items = desks.data?.items ?? []
  const chosen = lastDesk()
  const desk = items.find(({ id }) => id === chosen) ?? items[0]
  const answer = useDeskState(desk?.id)
  useRevealDelay(desks.isLoading || answer.isLoading)
  if (desks.data && !desk) return null
  const { data } = answer
  const to = (face: object) => <PageLink page="cash" search={{ desk: desk?.id }} {...face} />
  return (
    <CountsCard
      title="Касса"
      icon={<IconCash size={18} />}
      answer={answer}
      none={data?.shift ? 'Все чеки напечатаны.' : 'Смена закрыта.'}
      tiles={[
        { count: data?.waiting, label: 'Чеки ждут печати', late: true, to },
        { count: data?.unknown, label: 'Исход неизвестен', late: true, to },
      ]}
    >
      {data && (
        <>
          {data.trouble && <p role="alert">{data.trouble}</p>}
          <Fine component="p" mt={8}>
            <PageLink page="cash" search={{ desk: desk?.id }}>
              {desk?.name}
            </PageLink>
            {data.shift && `, смена № ${data.shift.number} с ${formatDateTime(data.shift.dateOpened)}`}. Наличными:{' '}
            {formatMoney(data.drawer)}
            {data.overdue && '. Смене больше суток: закройте её'}
          </Fine>
        </>
      )}
    </CountsCard>
  )
}
