import { Alert } from '@mantine/core'
import { AdCampaign, AdCost, AdCreative, AdNumber, adChannels } from '@ordinator/model/areas/advertising/campaign'
import type { Row } from '@ordinator/model/entity'
import { formatDay, formatMoney, formatNumber } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import { IconScale } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { api } from '#base/api.ts'
import { FigureTiles } from '#kit/FigureTiles.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { useCan } from '#records/Can.tsx'
import { EditableList } from '#records/EditableList.tsx'
import { retries } from '#records/reads.ts'
import { RegistryRecordPage } from '#records/registry/RegistryRecordPage.tsx'
import { CostUpload } from './CostUpload.tsx'

type Campaign = Row<typeof AdCampaign>

/** Рекламная кампания: touch marks, costs by day, and legal checks of its texts. */
export default function CampaignPage() {
  const mayEdit = useCan('update', AdCampaign)
  return (
    <RegistryRecordPage
      entity={AdCampaign}
      list={pageByKey('advertising')}
      live={[AdCost.path, AdCreative.path]}
      help={({ channel, dateFrom, dateTo }) =>
        `${adChannels[channel]}, с ${formatDay(dateFrom)}${dateTo ? ` по ${formatDay(dateTo)}` : ''}`
      }
      actions={({ id }) => mayEdit && <CostUpload idCampaign={id} />}
      under={(campaign) => <Head campaign={campaign} />}
      tabs={{
        numbers: {
          label: 'Номера',
          panel: ({ id, dateFrom }) => (
            <EditableList
              entity={AdNumber}
              of={{ idCampaign: id }}
              initial={{ dateFrom }}
              fields={['phone', 'dateFrom', 'dateTo']}
              label="Номера кампании"
              add="Добавить номер"
              empty={AdNumber.registry?.empty as { title: string; text: string }}
              removed={(name) => `Номер ${name} убран`}
              about={({ dateFrom: from, dateTo }) => `с ${formatDay(from)}${dateTo ? ` по ${formatDay(dateTo)}` : ''}`}
              readOnly={!mayEdit}
            />
          ),
        },
        creatives: {
          label: 'Материалы',
          panel: ({ id }) => (
            <EditableList
              entity={AdCreative}
              of={{ idCampaign: id }}
              fields={['name', 'text', 'isOnline', 'erid', 'url']}
              label="Рекламные материалы"
              add="Добавить материал"
              empty={AdCreative.registry?.empty as { title: string; text: string }}
              removed={(name) => `Материал «${name}» удалён`}
              about={({ text, isOnline, erid }) =>
                [text, isOnline ? (erid ? `erid ${erid}` : 'в интернете') : 'не в интернете']
                  .filter(Boolean)
                  .join(' · ')
              }
              readOnly={!mayEdit}
            />
          ),
        },
        costs: {
          label: 'Расходы по дням',
          panel: ({ id }) => (
            <EditableList
              entity={AdCost}
              of={{ idCampaign: id }}
              fields={['localDate', 'cost', 'clicks', 'impressions']}
              label="Расходы по дням"
              add="Добавить день"
              empty={AdCost.registry?.empty as { title: string; text: string }}
              removed={() => 'Расход дня удалён'}
              nameOf={({ localDate, cost }) => `${formatDay(localDate)} — ${formatMoney(cost)}`}
              about={({ clicks }) => (clicks ? `кликов ${formatNumber(clicks)}` : null)}
              readOnly={!mayEdit}
            />
          ),
        },
      }}
    />
  )
}

function Head({ campaign }: { campaign: Campaign }) {
  const { id, budget, spent } = campaign
  const answer = useQuery({
    queryKey: ['records', AdCampaign.path, 'checks', id],
    queryFn: ({ signal }) =>
      api('GET /advertising/campaigns/:id/checks', { params: { id } }, { signal, forbidden: 'silent' }),
    retry: retries,
    meta: { live: [AdCreative.path] },
  })
  const checks = answer.data?.checks ?? []
  return (
    <VStack gap={12} mb={8}>
      <FigureTiles
        tiles={[
          {
            label: 'Потрачено',
            value: formatMoney(spent),
            note: budget ? `${Math.round((100 * spent) / budget)} % бюджета` : 'бюджет не задан',
          },
          {
            label: 'Бюджет',
            value: budget ? formatMoney(budget) : '—',
            note: budget ? `осталось ${formatMoney(Math.round((budget - spent) * 100) / 100)}` : '',
          },
        ]}
      />
      {checks.length > 0 && (
        <Alert
          color="orange"
          variant="light"
          icon={<IconScale size={18} aria-hidden />}
          title="Что исправить по закону о рекламе"
        >
          <VStack component="ul" gap={4}>
            {checks.map(({ message }) => (
              <li key={message}>{message}</li>
            ))}
          </VStack>
        </Alert>
      )}
    </VStack>
  )
}
