import { allowed } from '@ordinator/model/access'
import { warehouseView } from '@ordinator/model/areas/warehouse/access'
import { formatDay } from '@ordinator/model/format'
import { IconPackages } from '@tabler/icons-react'
import { api } from '#base/api.ts'
import { PageLink } from '#base/PageLink.tsx'
import { useActor } from '#base/session.ts'
import { CountsCard } from '#kit/CountsCard.tsx'
import { useRevealDelay } from '#kit/RevealTogether.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { useStock } from './useCall.ts'
import { amount } from './words.tsx'

/** Number of batches shown, by expiry. */
const SHOWN = 4

/** Dashboard block: pending work in the user's warehouses. */
export default function StockBlock() {
  const works = allowed(useActor(), warehouseView)
  const answer = useStock(
    ['summary'],
    (signal) => api('GET /warehouse/summary', {}, { signal, forbidden: 'silent' }),
    undefined,
    true,
  )
  useRevealDelay(answer.isLoading)
  const { data } = answer
  return (
    <CountsCard
      title="Склад"
      icon={<IconPackages size={18} />}
      answer={answer}
      none="Сроки в порядке, ниже минимума ничего нет, документы проведены."
      tiles={[
        {
          count: data?.expired,
          label: 'Срок истёк',
          late: true,
          to: (face) => <PageLink page="warehouseGoods" search={{ only: 'expired' }} {...face} />,
        },
        {
          count: data?.expiring,
          label: 'Срок скоро истечёт',
          to: (face) => <PageLink page="warehouseGoods" search={{ only: 'expiring' }} {...face} />,
        },
        {
          count: data?.low,
          label: 'Ниже минимума',
          late: true,
          to: (face) => <PageLink page="warehouseGoods" search={{ only: 'low' }} {...face} />,
        },
        {
          count: works ? data?.drafts : 0,
          label: 'Документы не проведены',
          to: (face) => <PageLink page="warehouseDocuments" search={{ status: 'draft' }} {...face} />,
        },
        {
          count: works ? data?.inTransit : 0,
          label: 'Перемещения в пути',
          to: (face) => <PageLink page="warehouseDocuments" search={{ status: 'inTransit' }} {...face} />,
        },
        {
          count: works ? data?.mdlpFailed : 0,
          label: 'Отклонено в МДЛП',
          late: true,
          to: (face) => <PageLink page="mdlp" search={{ tab: 'out' }} {...face} />,
        },
      ]}
    >
      {data && data.soon.length > 0 && (
        <ul aria-label="Истекает первым">
          {data.soon.slice(0, SHOWN).map((row) => (
            <li key={`${row.idBatch}-${row.idWarehouse}`}>
              <HStack gap={12} justify="space-between" mt={8}>
                <PageLink page="warehouseGoods" search={{ good: row.idProduct }}>
                  {row.name}
                </PageLink>
                <Fine className="tabular">
                  {amount(row.qty, row.unit)}
                  {row.expiry && `, до ${formatDay(row.expiry)}`}
                </Fine>
              </HStack>
            </li>
          ))}
        </ul>
      )}
    </CountsCard>
  )
}
