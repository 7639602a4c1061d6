import { Alert } from '@mantine/core'
import { holds } from '@ordinator/model/access'
import { documentKinds, kindRules, WarehouseDocument } from '@ordinator/model/areas/warehouse/document'
import { formatDay, formatMoney } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import { Navigate } from '@tanstack/react-router'
import { routeTo } from '#base/address.ts'
import { PageLink } from '#base/PageLink.tsx'
import { useActor } from '#base/session.ts'
import { formatDate } from '#kit/clock.ts'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Dotted, Fine } from '#kit/Words.tsx'
import { useRecord } from '#records/reads.ts'
import { RegistryRecordPage } from '#records/registry/RegistryRecordPage.tsx'
import { placeOf } from '../place.ts'
import { StatusBadge } from '../words.tsx'
import { DocumentActions } from './DocumentActions.tsx'
import { Lines } from './Lines.tsx'
import type { DocumentRow } from './row.ts'

/** Складской документ: lines, actions, print. */
export default function DocumentPage() {
  return (
    <RegistryRecordPage
      entity={WarehouseDocument}
      list={pageByKey('warehouseDocuments')}
      help={({ kind, localDate }) => `${documentKinds[kind]} от ${formatDay(localDate)}`}
      actions={(row) => <DocumentActions document={row} />}
      under={(row) => <Head document={row} />}
      main={{
        label: 'Товары',
        panel: (row) =>
          row.kind === 'inventory' && row.status !== 'posted' && row.status !== 'cancelled' ? (
            <Navigate {...routeTo({ page: 'inventoryCount', params: { id: row.id } })} replace />
          ) : (
            <Lines document={row} />
          ),
      }}
    />
  )
}

function Head({ document }: { document: DocumentRow }) {
  const { id, kind, status, externalNumber, externalDate, reason, datePosted, arrivalDate, sum, idAppointment } =
    document
  const full = useRecord(WarehouseDocument, id, { expand: ['from.filial', 'to.filial', 'supplier', 'poster'] }).data
  const mayEdit = holds(useActor(), 'editWarehouse')
  const rule = kindRules[kind]
  const missing = [
    rule.supplier === 'must' && !document.idSupplier && 'поставщика',
    rule.reason && !reason && 'причину',
    rule.to && !document.idTo && 'склад-получатель',
    rule.from && !document.idFrom && 'склад',
  ].filter(Boolean)
  return (
    <VStack gap={8} mb={8}>
      <HStack wrap gap="6px 16px">
        <StatusBadge status={status} />
        <Fine>
          <Dotted>
            {[
              [full?.supplier?.shortName, placeOf(full?.from), placeOf(full?.to)].filter(Boolean).join(' → '),
              externalNumber && `№ поставщика ${externalNumber}${externalDate ? ` от ${formatDay(externalDate)}` : ''}`,
              reason,
              datePosted &&
                `проведён ${formatDate(datePosted)}${full?.poster ? `, ${full.poster.shortFio ?? full.poster.fio}` : ''}`,
              arrivalDate && arrivalDate !== document.localDate && `принято ${formatDay(arrivalDate)}`,
              idAppointment && (
                <PageLink key="visit" page="calendar" search={{ visit: idAppointment }}>
                  визит {idAppointment}
                </PageLink>
              ),
            ]}
          </Dotted>
        </Fine>
        <b className="tabular">{formatMoney(sum)}</b>
      </HStack>
      {status === 'draft' && mayEdit && missing.length > 0 && (
        <Alert color="orange" variant="light" p="xs">
          Чтобы провести, укажите во вкладке «Данные»: {missing.join(', ')}
        </Alert>
      )}
    </VStack>
  )
}
