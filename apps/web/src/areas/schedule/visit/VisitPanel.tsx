import { Text } from '@mantine/core'
import { restWords } from '@ordinator/model/areas/memberships/rules'
import { cancelReasons } from '@ordinator/model/areas/visits/rules'
import { shareText } from '@ordinator/model/areas/visits/shares'
import { Appointment, channels } from '@ordinator/model/areas/visits/visit'
import { formatMoney } from '@ordinator/model/format'
import { zoneFor } from '@ordinator/model/zone'
import { IconAlertTriangle, IconArrowsMove, IconCalendarOff, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { CustomerChip, CustomerFace, SealedCard, sealedCardOf } from '#areas/customers/index.ts'
import { VisitExaminations } from '#areas/examinations/index.ts'
import { OrderTestsButton } from '#areas/laboratory/index.ts'
import { PrintMenu } from '#areas/prints/index.ts'
import { PageLink } from '#base/PageLink.tsx'
import { ActionButton } from '#kit/ActionButton.tsx'
import { formatDateTime, zoneNow } from '#kit/clock.ts'
import { spanText } from '#kit/dayGrid/scale.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { PhoneLink } from '#kit/PhoneLink.tsx'
import { Revealed, RevealTogether, useRevealDelay } from '#kit/RevealTogether.tsx'
import { SidePanel } from '#kit/SidePanel.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { WordsDialog } from '#kit/WordsDialog.tsx'
import { useRecord } from '#records/reads.ts'
import { useSave } from '#records/writes.ts'
import { dayWords, roomText, startOf, useWallNow } from '../day.ts'
import { useScheduleRights } from '../rights.ts'
import { actWords, isForward, statusLooks } from '../statuses.ts'
import { AddServiceDialog } from './AddServiceDialog.tsx'
import { AskLetter } from './AskLetter.tsx'
import { useVisitActs } from './acts/useVisitActs.ts'
import { useVisitHistory } from './history.ts'
import { LinePrice } from './LinePrice.tsx'
import { LineMenu, useLines } from './lines.tsx'
import { MoveDialog } from './MoveDialog.tsx'
import { OfferedIn, useOffered } from './OfferedIn.tsx'
import { StatusChip } from './StatusChip.tsx'
import { useCoverage, usePrice } from './usePrice.ts'
import { VisitMoney } from './VisitMoney.tsx'
import classes from './VisitPanel.module.css'
import { VisitReferrer } from './VisitReferrer.tsx'
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
  const save = useSave(Appointment)
  const [moving, setMoving] = useState(false)
  const [adding, setAdding] = useState(false)
  const [noting, setNoting] = useState(false)
  const { today } = useWallNow(zoneFor(zoneNow(), visit.filial?.timeZone))
  const price = usePrice(visit.id)
  const priceOf = (id: number) => price.data?.lines.find((line) => line.id === id)
  const { data: covered } = useCoverage(visit.id, price.data !== undefined)
  const toldOf = (id: number) => covered?.lines.find((line) => line.id === id)
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
        {first.idGroup !== null && <Muted>Место в группе: время одно на нескольких пациентов</Muted>}
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
            <ActionButton label="Перенести…" icon={IconArrowsMove} variant="default" onClick={() => setMoving(true)} />
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

      <Revealed fallback={<LinesSkeleton lines={6} />}>
        <VStack gap={20}>
          <section aria-label="Услуги">
            <h2>Услуги</h2>
            <VStack component="ul" gap={8} mt={8}>
              {visit.coupons.map((coupon) => (
                <li key={coupon.id} className={classes.coupon}>
                  <HStack wrap gap={8}>
                    <strong className="tabular">
                      {spanText({ from: startOf(coupon), to: startOf(coupon) + coupon.minutes })}
                    </strong>
                    {coupon.user && <UserLink user={coupon.user} />}
                    {coupon.room && <Muted>{roomText(coupon.room.name)}</Muted>}
                    {coupon.equipment && <Muted>{coupon.equipment}</Muted>}
                    {coupon.overbooked && <Muted>сверх расписания</Muted>}
                  </HStack>
                  {coupon.services.map((line) => (
                    <VStack key={line.id} gap={2} className={classes.line}>
                      <HStack gap={8}>
                        <span className={classes.service} data-cancelled={line.cancelled || undefined}>
                          {line.service?.nameService ?? 'Услуга'}
                          {Number(line.qty) !== 1 && ` × ${Number(line.qty)}`}
                        </span>
                        {line.completed && <Fine>оказана</Fine>}
                        <span className="tabular nowrap">{formatMoney(priceOf(line.id)?.final ?? line.finalCost)}</span>
                        {(lines.mayMark(visit, coupon) ||
                          lines.mayRefuse(visit) ||
                          lines.mayShare(line) ||
                          lines.mayCover(visit, line)) && (
                          <LineMenu
                            line={line}
                            name={line.service?.nameService ?? 'Услуга'}
                            lines={lines}
                            marks={lines.mayMark(visit, coupon)}
                            refuses={lines.mayRefuse(visit)}
                            hasPayer={covered?.insured != null}
                            onCover={
                              lines.mayCover(visit, line)
                                ? () => lines.cover({ id: line.id, idCustomer: visit.idCustomer })
                                : undefined
                            }
                            onShare={
                              lines.mayShare(line)
                                ? () =>
                                    lines.share({
                                      id: line.id,
                                      name: line.service?.nameService ?? 'Услуга',
                                      doctor: { id: coupon.idUser, user: coupon.user },
                                      performers: line.performers,
                                    })
                                : undefined
                            }
                          />
                        )}
                      </HStack>
                      {line.performers.length > 0 && (
                        <Fine>
                          Исполнители:{' '}
                          {line.performers.map(({ id, user, share }, at) => (
                            <span key={id}>
                              {at > 0 && ', '}
                              {user ? <UserLink user={user} /> : 'сотрудник'}{' '}
                              <span className="nowrap">{shareText(share)}</span>
                            </span>
                          ))}
                        </Fine>
                      )}
                      {toldOf(line.id) && (
                        <Fine>
                          {covered?.insured?.payer}: {toldOf(line.id)?.words}
                          {(toldOf(line.id)?.payer ?? 0) > 0 &&
                            ` · плательщик ${formatMoney(toldOf(line.id)?.payer ?? 0)}, пациент ${formatMoney(toldOf(line.id)?.patient ?? 0)}`}{' '}
                          {toldOf(line.id)?.needsLetter && !toldOf(line.id)?.isCovered && (
                            <AskLetter visit={visit} payer={covered?.insured?.payer ?? ''} />
                          )}
                        </Fine>
                      )}
                      {line.membership && (
                        <Fine>
                          Абонемент «{line.membership.name}»: {restWords(line.membership)}
                        </Fine>
                      )}
                      <OfferedIn lines={offered.filter(({ idCouponService }) => idCouponService === line.id)} />
                      {line.cancelled ? (
                        line.refusalReason && <Fine>Отказ: {line.refusalReason}</Fine>
                      ) : (
                        <LinePrice line={priceOf(line.id)} name={line.service?.nameService ?? 'Услуга'} />
                      )}
                    </VStack>
                  ))}
                </li>
              ))}
            </VStack>
            {lines.mayAdd(visit, visit.coupons) && (
              <ActionButton
                label="Добавить услугу…"
                icon={IconPlus}
                variant="subtle"
                size="compact-sm"
                mt={8}
                onClick={() => setAdding(true)}
              />
            )}
          </section>

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

          <section aria-label="О записи">
            <h2>О записи</h2>
            <dl className={classes.facts}>
              {visit.filial && (
                <>
                  <dt>Филиал</dt>
                  <dd>{visit.filial.nameFilial}</dd>
                </>
              )}
              <dt>Как записан</dt>
              <dd>{channels[visit.channel]}</dd>
              <VisitReferrer visit={visit} />
              {visit.cancelReason && (
                <>
                  <dt>Причина отмены</dt>
                  <dd>
                    {cancelReasons[visit.cancelReason]}
                    {visit.cancelNote && `: ${visit.cancelNote}`}
                  </dd>
                </>
              )}
              <dt>Примечание</dt>
              <dd>
                {visit.note ? <span className="lines">{visit.note}</span> : '—'}{' '}
                {rights.edit && (
                  <ActionButton label="Изменить" size="compact-xs" variant="subtle" onClick={() => setNoting(true)} />
                )}
              </dd>
            </dl>
          </section>

          <section aria-label="История">
            <h2>История</h2>
            <ol className={classes.history}>
              {history.map(({ key, at, who, text }) => (
                <li key={key}>
                  <Fine className="tabular">{formatDateTime(at, visit.filial?.timeZone)}</Fine>
                  <span>{text}</span>
                  {who && (
                    <Fine>
                      <UserLink user={who} />
                    </Fine>
                  )}
                </li>
              ))}
            </ol>
          </section>
        </VStack>
      </Revealed>
      {adding && <AddServiceDialog visit={visit} onClose={() => setAdding(false)} />}
      {moving && <MoveDialog visit={acted} doctors={[]} acts={acts} onClose={() => setMoving(false)} />}
      {noting && (
        <WordsDialog
          title="Примечание к записи"
          label="Примечание"
          action="Сохранить"
          initial={visit.note ?? ''}
          onClose={() => setNoting(false)}
          run={(note) => save.mutateAsync({ id: visit.id, note: note || null })}
        />
      )}
      {acts.dialog}
      {lines.dialog}
    </VStack>
  )
}

/** Statuses from the patient's arrival on. */
const beganFrom: ReadonlySet<string> = new Set(['arrived', 'inProgress', 'completed'])
