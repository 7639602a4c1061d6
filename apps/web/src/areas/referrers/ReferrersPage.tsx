import { Alert, Anchor } from '@mantine/core'
import { Referrer, ReferrerRate } from '@ordinator/model/areas/referrers/referrer'
import { referrerWarning } from '@ordinator/model/areas/referrers/warning'
import type { Row } from '@ordinator/model/entity'
import { formatDay, formatMoney, formatNumber } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import { PageLink } from '#base/PageLink.tsx'
import { useAccount } from '#base/session.ts'
import { VStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { RegistryPage } from '#records/RegistryPage.tsx'
import { PartList } from '#records/registry/PartList.tsx'
import type { RecordParts } from '#records/registry/RegistryRecord.tsx'

const tabs: RecordParts<typeof Referrer>['tabs'] = {
  rates: { label: 'Ставки', panel: (row) => <Rates referrer={row} /> },
}

/** Направившие: contracts with their rates. */
export default function ReferrersPage() {
  const isOn = useAccount().common.settings.referrersActive === true
  return (
    <RegistryPage
      page={pageByKey('referrers')}
      entity={Referrer}
      tabs={tabs}
      isMuted={({ active }) => !active}
      layout={(list) => (
        <VStack gap={12} px="var(--ord-page)" pb="var(--ord-page)">
          {!isOn && (
            <Alert color="yellow" title="Направивших при записи не отмечают">
              {referrerWarning}. Включить:{' '}
              <Anchor
                inherit
                c="inherit"
                underline="always"
                renderRoot={(props) => <PageLink {...props} page="customersSettings" />}
              >
                «Настройки → Клиенты → Направившие со стороны»
              </Anchor>
            </Alert>
          )}
          {list}
        </VStack>
      )}
    />
  )
}

const Rates = ({ referrer: { id } }: { referrer: Row<typeof Referrer> }) => (
  <VStack gap={12}>
    <PartList
      entity={ReferrerRate}
      of={{ idReferrer: id }}
      title="Ставки"
      fields={['kind', 'value', 'idService', 'idGroup', 'dateFrom']}
      expand={['service', 'group']}
      face={({ kind, value, service, group, dateFrom }) => (
        <>
          {kind === 'share' ? `${formatNumber(value)} % оплаченного` : `${formatMoney(value)} за услугу`}:{' '}
          {service?.nameService ?? group?.nameServiceGroup ?? 'все услуги'}
          <Fine component="div">с {formatDay(dateFrom)}</Fine>
        </>
      )}
    />
    <Fine>Решает ближайшая ставка: услуги, затем её группы, затем всех услуг; из равных — начавшаяся позже</Fine>
  </VStack>
)
