import { Alert, Select, Text } from '@mantine/core'
import { allowed } from '@ordinator/model/access'
import { Customer } from '@ordinator/model/areas/customers/customer'
import { CashDesk, isByLinks, takesByHand } from '@ordinator/model/areas/money/desk'
import { deskWords } from '@ordinator/model/areas/money/deskWords'
import { FiscalTask } from '@ordinator/model/areas/money/fiscal'
import { type PaymentMethod, paymentMethods } from '@ordinator/model/areas/money/methods'
import { Payment } from '@ordinator/model/areas/money/payment'
import type { Expanded } from '@ordinator/model/client'
import { formatMoney } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import {
  IconAlertTriangle,
  IconArrowsExchange,
  IconCash,
  IconGift,
  IconLock,
  IconLockOpen,
  IconQrcode,
  IconReceiptTax,
  IconReportMoney,
  IconTicket,
} from '@tabler/icons-react'
import { useState } from 'react'
import { useAddress } from '#base/address.ts'
import { id, mark } from '#base/addressValues.ts'
import type { Search } from '#base/redirect.ts'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionMenu, MenuItem } from '#kit/ActionMenu.tsx'
import { formatDateTime } from '#kit/clock.ts'
import { DateField } from '#kit/DateField.tsx'
import { isDay } from '#kit/dateText.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { useHotkey } from '#kit/hotkeys.ts'
import { MoreRows } from '#kit/LoadMore.tsx'
import { PageHead } from '#kit/PageHead.tsx'
import { Revealed, RevealTogether } from '#kit/RevealTogether.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { Dotted } from '#kit/Words.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import { useLastChoice } from '#records/lastChoice.ts'
import { useEndlessList, useList } from '#records/reads.ts'
import { SellDialog } from '../certificates/SellDialog.tsx'
import { SellMembershipDialog } from '../memberships/SellMembershipDialog.tsx'
import { lastDesk, rememberDesk, useDeskState } from '../reads.ts'
import classes from './Cash.module.css'
import { CorrectionDialog } from './CorrectionDialog.tsx'
import { deskOptions, useNoDesks } from './DeskSelect.tsx'
import { LinkDialog } from './LinkDialog.tsx'
import { useOpenShift } from './OpenShift.tsx'
import { PaymentRows } from './PaymentRows.tsx'
import { ReceiptQueue } from './ReceiptQueue.tsx'
import { CashMoveDialog, CloseDialog, ReportDialog } from './ShiftDialogs.tsx'
import { ShiftTotals } from './ShiftTotals.tsx'
import { TakeDialog } from './TakeDialog.tsx'

const page = pageByKey('cash')
const MAX_DESKS = 100
const PORTION = 50

/** `take`: opens the payment dialog once a shift is open; `close`: the one that closes the shift. */
const readAddress = (search: Search) => ({ desk: id(search.desk), take: mark(search.take), close: mark(search.close) })

/** Касса: payments, refunds, receipts, and the shift. */
export default function CashPage() {
  const last = useLastChoice(CashDesk.path)
  const [{ desk: chosen = lastDesk() ?? last.id, take, close }, setAddress] = useAddress(readAddress)
  const desks = useList(CashDesk, { limit: MAX_DESKS, filter: { active: true }, expand: ['filial'] })
  const items = desks.data?.items ?? []
  const desk = items.find((one) => one.id === chosen) ?? items[0]
  const noDesks = useNoDesks(desks.data?.items.length === 0)
  if (desks.isError)
    return (
      <>
        <PageHead title={page.title} help={page.help} />
        <ErrorState error={desks.error} onRetry={() => void desks.refetch()} />
      </>
    )
  if (!desk)
    return (
      <>
        <PageHead title={page.title} help={page.help} />
        <div className={classes.body}>
          {desks.isPending ? <LinesSkeleton lines={6} /> : <EmptyState icon={IconCash} {...noDesks} />}
        </div>
      </>
    )
  const choose = (wanted: number) => {
    rememberDesk(wanted)
    last.keep(wanted)
    setAddress({ desk: wanted })
  }
  return (
    <Desk
      key={desk.id}
      desk={desk}
      desks={items}
      taking={take === true}
      closing={close === true}
      onClosed={() => setAddress({ close: undefined }, { replace: true })}
      onTake={(on) => setAddress({ take: on || undefined }, { replace: true })}
      onChoose={choose}
    />
  )
}

type DeskRow = Expanded<typeof CashDesk, 'filial'>

interface DeskProps {
  desk: DeskRow
  desks: readonly DeskRow[]
  taking: boolean
  /** The shift is to be closed. */
  closing: boolean
  onClosed: () => void
  onTake: (on: boolean) => void
  onChoose: (id: number) => void
}

function Desk({ desk, desks, taking, closing, onClosed, onTake, onChoose }: DeskProps) {
  const actor = useActor()
  const begin = useOpenShift(desk.id)
  const [open, setOpen] = useState<'link' | 'sell' | 'membership' | 'correct' | 'close' | 'cash' | 'report'>()
  const [closed, setClosed] = useState<number>()
  const state = useDeskState(desk.id)
  const { shift, overdue, drawer = 0 } = state.data ?? {}
  const mayTake = allowed(actor, 'takePayments')
  const isReady = shift != null && !overdue
  const isByHand = takesByHand(desk)
  const filial = desk.filial?.shortFilialName || desk.filial?.nameFilial
  const standing =
    state.data &&
    deskWords({
      ...state.data,
      kktMode: desk.kktMode,
      shift: state.data.shift && {
        number: state.data.shift.number,
        since: formatDateTime(state.data.shift.dateOpened, desk.filial?.timeZone),
      },
    })
  useHotkey('n', () => onTake(true), {
    label: isByHand ? 'Принять оплату' : 'Ссылка на оплату',
    group: page.title,
    enabled: mayTake && (isReady || !isByHand),
  })
  return (
    <RevealTogether busy={state.isPending}>
      <PageHead
        title={page.title}
        help={
          <Dotted>
            <strong>{desk.name}</strong>
            {filial && !desk.name.includes(filial) && filial}
            {standing && (
              <Text span inherit c={standing.isWrong ? 'var(--mantine-color-error)' : undefined} role="status">
                {standing.words}
              </Text>
            )}
            {shift?.cashier && <UserLink user={{ id: shift.idCashier ?? undefined, shortFio: shift.cashier }} />}
            {state.data && `наличных ${formatMoney(drawer)}`}
          </Dotted>
        }
        actions={
          <>
            {desks.length > 1 && (
              <Select
                aria-label="Касса"
                w={220}
                data={deskOptions(desks)}
                value={String(desk.id)}
                onChange={(id) => onChoose(Number(id))}
              />
            )}
            {mayTake && !isByHand && (
              <ActionButton label="Ссылка на оплату" icon={IconQrcode} onClick={() => onTake(true)} />
            )}
            {mayTake && isByHand && state.data && !shift && (
              <ActionButton
                label="Открыть смену"
                icon={IconLockOpen}
                loading={begin.isBusy}
                onClick={() => void begin.open()}
              />
            )}
            {mayTake && isByHand && shift && (
              <ActionButton label="Принять оплату" icon={IconCash} disabled={overdue} onClick={() => onTake(true)} />
            )}
            {shift && (
              <ActionMenu label="Смена" variant="default" size={32}>
                {mayTake && isByHand && (
                  <MenuItem label="Ссылка на оплату…" icon={IconQrcode} onClick={() => setOpen('link')} />
                )}
                <MenuItem label="X-отчёт" icon={IconReportMoney} onClick={() => setOpen('report')} />
                {mayTake && isByHand && !overdue && (
                  <>
                    <MenuItem label="Продать сертификат…" icon={IconGift} onClick={() => setOpen('sell')} />
                    <MenuItem label="Продать абонемент…" icon={IconTicket} onClick={() => setOpen('membership')} />
                  </>
                )}
                {allowed(actor, 'correctReceipts') && desk.kktMode !== 'none' && isByHand && !overdue && (
                  <MenuItem label="Чек коррекции…" icon={IconReceiptTax} onClick={() => setOpen('correct')} />
                )}
                {allowed(actor, 'cashInOut') && (
                  <MenuItem label="Внести или изъять…" icon={IconArrowsExchange} onClick={() => setOpen('cash')} />
                )}
                {mayTake && <MenuItem label="Закрыть смену…" icon={IconLock} onClick={() => setOpen('close')} />}
              </ActionMenu>
            )}
          </>
        }
      />
      <VStack gap={16} className={classes.body}>
        <Revealed fallback={<LinesSkeleton lines={8} />}>
          {state.isError && <ErrorState error={state.error} onRetry={() => void state.refetch()} />}
          <Banners desk={desk} state={state.data} />
          {shift && <ShiftTotals idShift={shift.id} number={shift.number} />}
          <Payments idDesk={desk.id} />
        </Revealed>
      </VStack>
      {taking && mayTake && isByHand && isReady && <TakeDialog idDesk={desk.id} onClose={() => onTake(false)} />}
      {taking && mayTake && !isByHand && <LinkDialog idDesk={desk.id} onClose={() => onTake(false)} />}
      {open === 'correct' && <CorrectionDialog of={{ idDesk: desk.id }} onClose={() => setOpen(undefined)} />}
      {open === 'link' && (
        <LinkDialog {...(isByLinks(desk.terminalMode) && { idDesk: desk.id })} onClose={() => setOpen(undefined)} />
      )}
      {open === 'sell' && <SellDialog idDesk={desk.id} onClose={() => setOpen(undefined)} />}
      {open === 'membership' && <SellMembershipDialog idDesk={desk.id} onClose={() => setOpen(undefined)} />}
      {shift && open === 'report' && (
        <ReportDialog title={`X-отчёт смены № ${shift.number}`} idShift={shift.id} onClose={() => setOpen(undefined)} />
      )}
      {shift && open === 'cash' && <CashMoveDialog idShift={shift.id} onClose={() => setOpen(undefined)} />}
      {shift && mayTake && (open === 'close' || closing) && (
        <CloseDialog
          idShift={shift.id}
          onClose={() => {
            setOpen(undefined)
            if (closing) onClosed()
          }}
          onClosed={() => setClosed(shift.id)}
        />
      )}
      {closed !== undefined && (
        <ReportDialog title="Смена закрыта: сверка" idShift={closed} onClose={() => setClosed(undefined)} />
      )}
    </RevealTogether>
  )
}

/** Problems of the desk. */
function Banners({ desk, state }: { desk: DeskRow; state: ReturnType<typeof useDeskState>['data'] }) {
  const icon = <IconAlertTriangle size={18} aria-hidden />
  return (
    <>
      {desk.kktMode === 'simulator' && (
        <Alert color="gray" variant="light" icon={icon}>
          Вместо регистратора чеков имитатор: чеки не настоящие.
        </Alert>
      )}
      {state && state.warnings.length > 0 && (
        <Alert color="yellow" variant="light" icon={icon} role="status" aria-label="Касса просит внимания">
          {state.warnings.map((words) => (
            <div key={words}>{words}</div>
          ))}
        </Alert>
      )}
      {state && (state.trouble || state.unknown > 0) && <ReceiptQueue desk={desk} state={state} />}
    </>
  )
}

function Payments({ idDesk }: { idDesk: number }) {
  const [day, setDay] = useState<string | null>(null)
  const [method, setMethod] = useState<PaymentMethod | null>(null)
  const [idCustomer, setCustomer] = useState<number | null>(null)
  const localDate = isDay(day) ? day : undefined
  const isNarrowed = Boolean(localDate || method || idCustomer)
  const filter = {
    idDesk,
    ...(localDate && { localDate }),
    ...(idCustomer && { idCustomer }),
    ...(method && { 'parts.method': method }),
  }
  const list = useEndlessList(
    Payment,
    { filter, expand: ['customer', 'certificate', 'desk.filial'], limit: PORTION, sort: '-dateCreate' },
    { live: [FiscalTask.path] },
  )
  return (
    <section aria-label="Оплаты и возвраты">
      <HStack wrap gap={8} mb={8} align="end">
        <DateField label="День" w={140} value={day} onChange={setDay} />
        <Select
          label="Чем"
          placeholder="Любым способом"
          clearable
          w={180}
          data={Object.entries(paymentMethods).map(([value, label]) => ({ value, label }))}
          value={method}
          onChange={(value) => setMethod(value as PaymentMethod | null)}
        />
        <RefSelect to={Customer.path} label="Пациент" placeholder="Любой" value={idCustomer} onChange={setCustomer} />
      </HStack>
      {list.isError ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : list.isPending ? (
        <LinesSkeleton lines={8} />
      ) : list.items.length === 0 ? (
        <EmptyState
          icon={IconCash}
          title={isNarrowed ? 'Таких оплат нет' : 'Оплат пока нет'}
          text={isNarrowed ? 'Измените отбор' : 'Принятые оплаты и возвраты этой кассы встанут здесь'}
        />
      ) : (
        <PaymentRows payments={list.items} />
      )}
      <MoreRows list={list} label="Показать раньше" />
    </section>
  )
}
