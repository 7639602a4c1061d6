import { Text } from '@mantine/core'
import type { VisitStatus } from '@ordinator/model/areas/visits/rules'
import { Appointment } from '@ordinator/model/areas/visits/visit'
import { zoneFor } from '@ordinator/model/zone'
import { IconAlertTriangle, IconArrowsMove, IconCalendarOff } from '@tabler/icons-react'
import { useState } from 'react'
import { CustomerChip, CustomerFace, SealedCard, sealedCardOf } from '#areas/customers/index.ts'
import { VisitExaminations } from '#areas/examinations/index.ts'
import { OrderTestsButton } from '#areas/laboratory/index.ts'
import { PrintMenu } from '#areas/prints/index.ts'
import { PageLink } from '#base/PageLink.tsx'
import { ActionButton } from '#kit/ActionButton.tsx'
import { zoneNow } from '#kit/clock.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { PhoneLink } from '#kit/PhoneLink.tsx'
import { Revealed, RevealTogether, useRevealDelay } from '#kit/RevealTogether.tsx'
import { SidePanel } from '#kit/SidePanel.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Muted } from '#kit/Words.tsx'
import { useRecord } from '#records/reads.ts'
import { dayWords, useWallNow } from '../day.ts'
import { useScheduleRights } from '../rights.ts'
import { actWords, isForward, statusLooks } from '../statuses.ts'
import { useVisitActs } from './acts/useVisitActs.ts'
import { useVisitHistory } from './history.ts'
import { useLines } from './lines.tsx'
import { MoveDialog } from './MoveDialog.tsx'
import { useOffered } from './OfferedIn.tsx'
import { StatusChip } from './StatusChip.tsx'
import { useCoverage, usePrice } from './usePrice.ts'
import { VisitFacts, VisitHistory } from './VisitFacts.tsx'
import { VisitLines } from './VisitLines.tsx'
import { VisitMoney } from './VisitMoney.tsx'
import { type Visit, visitExpand } from './visit.ts'

interface Props {
  id: number
  onClose: () => void
}

/** A visit in the side panel: patient, time, services, history. */
export function VisitPanel({ id, onClose }: Props) {
  const visit = useRecord(Appointment, id, { expand: visitExpand }, { forbidden: 'silent' })
  const missing = (visit.error as { status?: number } | null)?.status === 404
  const sealed = sealedCardOf(visit.error)
  return (
    <SidePanel
      opened
      onClose={onClose}
      title={visit.data ? `Запись № ${id}` : 'Запись'}
      actions={visit.data && <PrintMenu entity="appointments" id={id} variant="subtle" />}
    >
      {missing ? (
        <EmptyState icon={IconCalendarOff} title="Запись не найдена" text="Её удалили, или она вам не видна." />
      ) : sealed !== undefined ? (
        <SealedCard idCustomer={sealed} isPart onOpened={() => void visit.refetch()} />
      ) : visit.isError && !visit.data ? (
        <ErrorState title="Запись не загрузилась" error={visit.error} onRetry={() => void visit.refetch()} />
      ) : visit.data ? (
        <RevealTogether key={id}>
          <Card visit={visit.data} />
        </RevealTogether>
      ) : (
        <LinesSkeleton lines={8} />
      )}
    </SidePanel>
  )
}

function Card({ visit }: { visit: Visit }) {
  const rights = useScheduleRights()
  const acts = useVisitActs()
  const [moving, setMoving] = useState(false)
  const { today } = useWallNow(zoneFor(zoneNow(), visit.filial?.timeZone))
  const price = usePrice(visit.id)
  const { data: covered } = useCoverage(visit.id, price.data !== undefined)
  useRevealDelay(price.isLoading)
  const lines = useLines()
  const history = useVisitHistory(visit)
  const offered = useOffered(visit.id)
  const [first] = visit.coupons
  if (!first) return <EmptyState icon={IconCalendarOff} title="В записи нет услуг" />
  const acted = {
    id: first.id,
    idAppointment: visit.id,
    idFilial: visit.idFilial,
    idUser: first.idUser,
    idRoom: first.idRoom,
    localDate: visit.localDate,
    localStart: visit.localStart,
    dateFrom: visit.dateFrom,
    minutes: first.minutes,
    visitStatus: visit.visitStatus,
    patient: visit.customer?.shortFio ?? null,
    idGroup: first.idGroup,
  }
  const ways = rights.ways(acted, today)
  return (
    <VStack gap={20}>
      <VisitHead visit={visit} ways={ways} acts={acts} acted={acted} onMove={() => setMoving(true)} />

      <Revealed fallback={<LinesSkeleton lines={6} />}>
        <VStack gap={20}>
          <VisitLines {...{ visit, lines, offered, covered }} price={price.data} />

          {visit.customer && (
            <VisitExaminations
              idAppointment={visit.id}
              idCustomer={visit.idCustomer}
              mayBegin={beganFrom.has(visit.visitStatus)}
            />
          )}

          {price.isError ? (
            <ErrorState title="Цена не загрузилась" error={price.error} onRetry={() => void price.refetch()} />
          ) : (
            price.data && <VisitMoney visit={visit} price={price.data} completed={visit.visitStatus === 'completed'} />
          )}

          <VisitFacts visit={visit} />
          <VisitHistory visit={visit} history={history} />
        </VStack>
      </Revealed>
      {moving && <MoveDialog visit={acted} doctors={[]} acts={acts} onClose={() => setMoving(false)} />}
      {acts.dialog}
      {lines.dialog}
    </VStack>
  )
}

interface HeadProps {
  visit: Visit
  ways: readonly VisitStatus[]
  acts: ReturnType<typeof useVisitActs>
  acted: Parameters<ReturnType<typeof useVisitActs>['go']>[0]
  onMove: () => void
}

/** Status, time and patient of a visit, and what to do with it. */
function VisitHead({ visit, ways, acts, acted, onMove }: HeadProps) {
  const rights = useScheduleRights()
  return (
    <VStack gap={8}>
      <HStack wrap>
        <StatusChip status={visit.visitStatus} />
        {visit.needsRebook && (
          <HStack component="span" gap={4} c="var(--mantine-color-error)">
            <IconAlertTriangle size={16} aria-hidden /> Требует переноса
          </HStack>
        )}
      </HStack>
      <Text fw={600} size="lg">
        {dayWords(visit.localDate)}, {visit.localStart}
      </Text>
      {acted.idGroup !== null && <Muted>Место в группе: время одно на нескольких пациентов</Muted>}
      <HStack wrap>
        {visit.customer?.photo && <CustomerFace customer={visit.customer} size={40} />}
        {visit.customer ? <CustomerChip customer={visit.customer} /> : <Muted>Пациент вам не виден</Muted>}
        {visit.customer?.phone && <PhoneLink phone={visit.customer.phone} />}
        {visit.customer && (
          <PageLink page="customer" search={{ id: visit.customer.id }}>
            Карта клиента
          </PageLink>
        )}
      </HStack>
      <HStack wrap gap={6} pt={4}>
        {ways.map((status, at) => (
          <ActionButton
            key={status}
            label={actWords(visit.visitStatus, status)}
            icon={statusLooks[status].icon}
            variant={at === 0 && isForward(visit.visitStatus, status) ? 'filled' : 'default'}
            onClick={() => void acts.go(acted, status)}
          />
        ))}
        {rights.moves(visit) && (
          <ActionButton label="Перенести…" icon={IconArrowsMove} variant="default" onClick={onMove} />
        )}
        {visit.customer && (
          <OrderTestsButton
            from={{
              customer: visit.idCustomer,
              visit: visit.id,
              filial: visit.idFilial,
              ...(visit.coupons[0] && { doctor: visit.coupons[0].idUser }),
            }}
          />
        )}
      </HStack>
    </VStack>
  )
}

/** Statuses from the patient's arrival on. */
const beganFrom: ReadonlySet<string> = new Set(['arrived', 'inProgress', 'completed'])
