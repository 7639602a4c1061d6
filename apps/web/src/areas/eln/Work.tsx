import { Table } from '@mantine/core'
import { holds } from '@ordinator/model/access'
import { CONTINUES } from '@ordinator/model/areas/eln/faults'
import { numberText, stepRefusal } from '@ordinator/model/areas/eln/rules'
import { formatDay } from '@ordinator/model/format'
import {
  IconAlertTriangle,
  IconArrowRight,
  IconCircleCheck,
  IconLock,
  IconPlugConnectedX,
  IconRefresh,
  IconSend,
  IconSignature,
} from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { SignDialog, type ToSign } from '#areas/signatures/index.ts'
import { useGo } from '#base/address.ts'
import { api } from '#base/api.ts'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { formatDateTime, today } from '#kit/clock.ts'
import { useHotkey } from '#kit/hotkeys.ts'
import { notify } from '#kit/notify.tsx'
import { Block, HStack, VStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { notifyFailure } from '#records/notifyFailure.ts'
import { CloseDialog } from './CloseDialog.tsx'
import classes from './Eln.module.css'
import {
  isBeingChanged,
  isBeingSigned,
  type LeaveRow,
  type LeaveState,
  type PartState,
  toast,
  useLeaveState,
  useReread,
} from './leave.ts'
import { Notice } from './Notice.tsx'
import { PARTS, partToSign } from './signParts.ts'

interface Props {
  leave: LeaveRow
  state: LeaveState
}

const isSigned = ({ state }: PartState) => state === 'valid' || state === 'unchecked'

/** Work on a sheet: next step, problems, signers, answer of the Social Fund. */
export function Work({ leave, state }: Props) {
  const mayEdit = holds(useActor(), 'editEln')
  return (
    <VStack gap={16}>
      {!state.exchange.isSet && (
        <Notice icon={IconPlugConnectedX} color="gray">
          {state.exchange.words}
        </Notice>
      )}
      <Block component="section" framed p={12} aria-label="Что сделать">
        <Step leave={leave} state={state} mayEdit={mayEdit} />
      </Block>
      {leave.localStatus === 'dispute' && <Dispute leave={leave} state={state} mayEdit={mayEdit} />}
      {isBeingChanged(leave) && <Faults state={state} />}
      {leave.lnCode && isBeingSigned(leave, state) && <Signatures leave={leave} state={state} />}
      <Answers leave={leave} state={state} />
    </VStack>
  )
}

function useStep(done: string, work: () => Promise<unknown>) {
  const reread = useReread()
  return useMutation({
    mutationFn: work,
    onError: notifyFailure,
    onSettled: () => reread(),
    onSuccess: () => void (done && notify.success(done)),
  })
}

/** The next step as text, with its button. */
function Step({ leave, state, mayEdit }: Props & { mayEdit: boolean }) {
  const { id, localStatus, isClosed, resultCode, nextLnCode, _version } = leave
  const go = useGo()
  const [closing, setClosing] = useState(false)
  const errors = state.faults.filter(({ level }) => level === 'error').length
  const params = { id }
  const ready = useStep('Лист на подписи', () => api('POST /eln/:id/ready', { params, body: { _version } }, toast))
  const back = useStep('Лист снова черновик', () =>
    api('POST /eln/:id/ready', { params, body: { ready: false, _version } }, toast),
  )
  const send = useStep('Лист отправлен в СФР', () => api('POST /eln/:id/send', { params, body: { _version } }, toast))
  const refresh = useStep('Состояние обновлено', () => api('POST /eln/:id/refresh', { params }, toast))
  const next = useMutation({
    mutationFn: () => api('POST /eln/:id/next', { params, body: {} }, toast),
    onError: notifyFailure,
    onSuccess: (made) => void go({ page: 'sickLeave', params: { id: made.id } }),
  })
  const mayClose = mayEdit && stepRefusal('close', leave) === undefined && state.nextStart !== null
  const mayNext = mayEdit && resultCode === CONTINUES && !nextLnCode && stepRefusal('next', leave) === undefined
  const words = stepWords(leave, state, errors)
  const isDraft = mayEdit && localStatus === 'draft' && errors === 0
  const maySend = mayEdit && localStatus === 'toSign' && leave.signsLeft === 0 && state.exchange.isSet
  useHotkey('mod+enter', () => (isDraft ? ready : send).mutate(), {
    label: isDraft ? 'Отдать на подпись' : 'Отправить в СФР',
    group: 'Больничный лист',
    enabled: (isDraft && !ready.isPending) || (maySend && !send.isPending),
  })
  return (
    <VStack gap={10}>
      <h2 className={classes.title}>{words.title}</h2>
      {words.text && <Muted>{words.text}</Muted>}
      <HStack wrap gap={8}>
        {mayEdit && localStatus === 'draft' && (
          <ActionButton
            label="Отдать на подпись"
            icon={IconSignature}
            disabled={!isDraft}
            loading={ready.isPending}
            onClick={() => ready.mutate()}
          />
        )}
        {localStatus === 'toSign' && <SignButton leave={leave} state={state} />}
        {mayEdit && localStatus === 'toSign' && (
          <ActionButton
            label="Отправить в СФР"
            icon={IconSend}
            variant={leave.signsLeft > 0 ? 'default' : 'filled'}
            disabled={!maySend}
            loading={send.isPending}
            onClick={() => send.mutate()}
          />
        )}
        {mayClose && localStatus !== 'toSign' && (
          <ActionButton label="Закрыть лист" icon={IconLock} variant="default" onClick={() => setClosing(true)} />
        )}
        {mayNext && (
          <ActionButton
            label="Выдать продолжение"
            icon={IconArrowRight}
            loading={next.isPending}
            onClick={() => next.mutate()}
          />
        )}
        {mayEdit && localStatus === 'toSign' && (
          <ActionButton
            label="Вернуть в черновик"
            reverse
            variant="subtle"
            loading={back.isPending}
            onClick={() => back.mutate()}
          />
        )}
        {leave.stateSfr !== null && localStatus !== 'sent' && state.exchange.isSet && (
          <ActionButton
            label="Спросить СФР"
            icon={IconRefresh}
            variant="subtle"
            loading={refresh.isPending}
            onClick={() => refresh.mutate()}
          />
        )}
      </HStack>
      {closing && <CloseDialog leave={leave} state={state} onClose={() => setClosing(false)} />}
      {isClosed && leave.workFrom && <Fine>К работе с {formatDay(leave.workFrom)}</Fine>}
    </VStack>
  )
}

function stepWords(leave: LeaveRow, state: LeaveState, errors: number): { title: string; text?: string } {
  const { localStatus, stateSfr, isClosed, dateTo, signsLeft, sfrWords, lnCode } = leave
  const day = today()
  switch (localStatus) {
    case 'draft':
      if (errors) return { title: 'Заполните лист', text: `Мешает: ${errors}. Что именно — ниже.` }
      return {
        title: stateSfr === null ? 'Готов к подписи' : 'Изменения готовы к подписи',
        text:
          lnCode === null && state.freeNumbers === 0
            ? 'Свободных номеров нет: запросите их на странице «Номера больничных».'
            : 'Лист проверен: ошибок нет.',
      }
    case 'toSign':
      return signsLeft > 0
        ? {
            title: `Осталось подписать: ${signsLeft}`,
            text: state.signatures.isSet ? undefined : state.signatures.words,
          }
        : { title: 'Подписан, можно отправлять' }
    case 'sent':
      return { title: 'Ждём ответа СФР', text: 'Если СФР молчит, программа спросит сама. Дважды лист не уйдёт.' }
    case 'rejected':
      return { title: 'СФР отказал', text: sfrWords ?? undefined }
    case 'dispute':
      return { title: 'Лист в СФР другой', text: sfrWords ?? undefined }
    default:
      if (stateSfr === '090') return { title: 'Действие листа прекращено', text: leave.cancelReason ?? undefined }
      if (isClosed) return { title: 'Лист закрыт', text: 'Делать ничего не нужно: дальше работодатель и СФР.' }
      if (dateTo !== null && dateTo < day)
        return { title: 'Просрочен', text: `Последний день был ${formatDay(dateTo)}: продлите или закройте.` }
      if (dateTo === day) return { title: 'Сегодня последний день', text: 'Продлите или закройте лист.' }
      return { title: 'Лист открыт', text: dateTo ? `По ${formatDay(dateTo)}` : undefined }
  }
}

/** Signs all parts of the sheet that belong to the user. */
function SignButton({ leave, state }: Props) {
  const reread = useReread()
  const [signs, setSigns] = useState<readonly ToSign[]>()
  const mine = state.parts.filter((part) => part.isMine && !isSigned(part))
  // The bytes of a part change with the step before: what is being reloaded is not offered for signing.
  const { isFetching } = useLeaveState(leave.id)
  const start = () => setSigns(mine.map((part) => partToSign(leave.id, part)))
  useHotkey('mod+enter', start, {
    label: 'Подписать',
    group: 'Больничный лист',
    enabled: mine.length > 0 && state.signatures.isSet && !isFetching && signs === undefined,
  })
  return (
    <>
      {mine.length > 0 && (
        <ActionButton
          label={`Подписать (${mine.length})`}
          icon={IconSignature}
          disabled={!state.signatures.isSet || isFetching}
          onClick={start}
        />
      )}
      {signs && <SignDialog items={signs} forms={PARTS} onSigned={reread} onClose={() => setSigns(undefined)} />}
    </>
  )
}

function Dispute({ leave, state, mayEdit }: Props & { mayEdit: boolean }) {
  const { id, _version } = leave
  const settle = (take: 'ours' | 'theirs') =>
    api('POST /eln/:id/settle', { params: { id }, body: { take, _version } }, toast)
  const theirs = useStep('Взято то, что в СФР', () => settle('theirs'))
  const ours = useStep('Оставлено своё: подпишите и отправьте лист', () => settle('ours'))
  return (
    <Block component="section" framed p={12} aria-label="Расхождение">
      <h2 className={classes.title}>Чем отличается</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keyboard */}
      <section className={classes.scroll} tabIndex={0} aria-label="Чем отличается: таблица">
        <Table miw={280} verticalSpacing={4} horizontalSpacing={8}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Что</Table.Th>
              <Table.Th>У нас</Table.Th>
              <Table.Th>В СФР</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {state.differences.map(({ label, ours: own, theirs: other }) => (
              <Table.Tr key={label}>
                <Table.Td>
                  <Fine>{label}</Fine>
                </Table.Td>
                <Table.Td>{own}</Table.Td>
                <Table.Td>{other}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </section>
      {mayEdit && (
        <HStack wrap gap={8} mt={8}>
          <ActionButton label="Взять из СФР" loading={theirs.isPending} onClick={() => theirs.mutate()} />
          <ActionButton
            label="Оставить своё"
            variant="default"
            loading={ours.isPending}
            onClick={() => ours.mutate()}
          />
        </HStack>
      )}
    </Block>
  )
}

function Faults({ state }: { state: LeaveState }) {
  const whole = state.faults.filter(({ period }) => period === undefined)
  if (whole.length === 0) return null
  return (
    <section aria-label="Что не так">
      <h2 className={classes.title}>Что не так</h2>
      <ul className={classes.faults}>
        {whole.map(({ field, message, level }) => (
          <li key={field + message} className={classes.fault} data-level={level}>
            <IconAlertTriangle size={16} aria-hidden /> {message}
          </li>
        ))}
      </ul>
    </section>
  )
}

const stateWords = {
  none: 'не подписано',
  valid: 'подпись верна',
  unchecked: 'подпись не проверена',
  stale: 'данные изменены, подписать заново',
} as const

function Signatures({ leave, state }: Props) {
  return (
    <section aria-label="Подписи">
      <h2 className={classes.title}>Подписи листа {numberText(leave.lnCode ?? '')}</h2>
      <ul className={classes.parts}>
        {state.parts.map((part) => (
          <li key={part.key}>
            <span>
              {part.title}
              <Fine component="div">{part.signer ?? '—'}</Fine>
            </span>
            <Fine
              className={isSigned(part) ? classes.signed : part.state === 'stale' ? classes.stale : undefined}
              ta="right"
            >
              {isSigned(part) && <IconCircleCheck size={14} aria-hidden />} {stateWords[part.state]}
              {part.signedAt && <div>{formatDateTime(part.signedAt)}</div>}
            </Fine>
          </li>
        ))}
      </ul>
      {leave.localStatus === 'toSign' && <Fine>{state.signatures.words}</Fine>}
    </section>
  )
}

function Answers({ leave, state }: Props) {
  if (state.events.length === 0) return leave.localStatus === 'sent' ? <Fine>Лист в очереди на отправку</Fine> : null
  return (
    <section aria-label="Обмен с СФР">
      <h2 className={classes.title}>Обмен с СФР</h2>
      <ul className={classes.events}>
        {state.events.slice(0, 6).map(({ date, words, isBad }) => (
          <li key={date + words} data-bad={isBad || undefined}>
            <Fine>{formatDateTime(date)}</Fine> {words}
          </li>
        ))}
      </ul>
      {state.exchange.isSet && <Fine>{state.exchange.words}</Fine>}
    </section>
  )
}
