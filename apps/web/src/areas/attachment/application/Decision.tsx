import { AttachmentApplication } from '@ordinator/model/areas/attachment/application'
import { type ApplicationStep, applicationSteps } from '@ordinator/model/areas/attachment/rules'
import { formatDay } from '@ordinator/model/format'
import { IconCircleCheck, IconPlugConnectedX, IconSend, IconUserCheck, IconX } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Notice } from '#areas/eln/index.ts'
import { api } from '#base/api.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { notify } from '#kit/notify.tsx'
import { Block, HStack, VStack } from '#kit/Stacks.tsx'
import { Muted } from '#kit/Words.tsx'
import { WordsDialog } from '#kit/WordsDialog.tsx'
import { useCan } from '#records/Can.tsx'
import { notifyFailure } from '#records/notifyFailure.ts'
import classes from '../Attachment.module.css'
import { ApproveDialog, AttachDialog, RefuseDialog } from './dialogs.tsx'
import { type ApplicationRow, type State, toast, useFresh } from './state.ts'

type Asking = 'ask' | 'answer' | 'approve' | 'refuse' | 'withdraw' | 'attach'

/** Available decisions. */
export function Decision({ one, state }: { one: ApplicationRow; state: State }) {
  const { id, status, _version } = one
  const fresh = useFresh()
  const mayEdit = useCan('update', AttachmentApplication)
  const [asking, setAsking] = useState<Asking>()
  const can = (step: ApplicationStep) => mayEdit && applicationSteps[step].from.includes(status)
  const params = { id }
  const step = (path: 'check' | 'send') => ({
    mutationFn: () =>
      path === 'check'
        ? api('POST /attachment/applications/:id/check', { params, body: { _version } }, toast)
        : api('POST /attachment/applications/:id/send', { params, body: { _version } }, toast),
    onError: notifyFailure,
    onSuccess: async () => {
      await fresh()
      notify.success(path === 'check' ? 'Заявление на проверке' : 'Отправлено в ТФОМС')
    },
  })
  const check = useMutation(step('check'))
  const send = useMutation(step('send'))
  const errors = state.checks.filter(({ level }) => level === 'error')
  return (
    <Block component="section" framed p={12} aria-label="Решение">
      <VStack gap={10}>
        <h2 className={classes.title}>{titles[status]}</h2>
        {one.decisionReason && <Muted>{one.decisionReason}</Muted>}
        {one.attachedFrom && ['approved', 'sent', 'attached'].includes(status) && (
          <span>Прикрепить с {formatDay(one.attachedFrom)}</span>
        )}
        {one.protocol && <p className={classes.protocol}>{one.protocol}</p>}
        {can('send') && !state.exchange.isSet && (
          <Notice icon={IconPlugConnectedX} color="gray">
            {state.exchange.words}
          </Notice>
        )}
        <HStack wrap gap={8}>
          {can('check') && (
            <ActionButton label="Взять на проверку" loading={check.isPending} onClick={() => check.mutate()} />
          )}
          {can('approve') && (
            <ActionButton label="Одобрить" icon={IconCircleCheck} onClick={() => setAsking('approve')} />
          )}
          {can('answer') && <ActionButton label="Заявитель ответил" onClick={() => setAsking('answer')} />}
          {can('send') && state.exchange.isSet && (
            <ActionButton
              label="Отправить в ТФОМС"
              icon={IconSend}
              loading={send.isPending}
              onClick={() => send.mutate()}
            />
          )}
          {can('attach') && (
            <ActionButton
              label="Прикрепить"
              variant={state.exchange.isSet ? 'default' : 'filled'}
              icon={IconUserCheck}
              onClick={() => setAsking('attach')}
            />
          )}
          {can('ask') && <ActionButton label="Запросить сведения" variant="default" onClick={() => setAsking('ask')} />}
          {can('refuse') && (
            <ActionButton label="Отказать" variant="default" icon={IconX} onClick={() => setAsking('refuse')} />
          )}
        </HStack>
        {can('withdraw') && (
          <HStack>
            <ActionButton label="Заявитель отозвал" variant="subtle" onClick={() => setAsking('withdraw')} />
          </HStack>
        )}
      </VStack>
      {asking === 'approve' && (
        <ApproveDialog one={one} errors={errors.map(({ words }) => words)} onClose={() => setAsking(undefined)} />
      )}
      {asking === 'attach' && <AttachDialog one={one} onClose={() => setAsking(undefined)} />}
      {asking === 'refuse' && <RefuseDialog one={one} onClose={() => setAsking(undefined)} />}
      {asking === 'ask' && (
        <WordsDialog
          title="Запросить сведения"
          label="Что нужно"
          action="Запросить"
          onClose={() => setAsking(undefined)}
          run={async (question) => {
            await api('POST /attachment/applications/:id/ask', { params, body: { question, _version } }, toast)
            await fresh()
          }}
        />
      )}
      {asking === 'answer' && (
        <WordsDialog
          title="Ответ заявителя"
          label="Что ответил"
          action="Записать"
          onClose={() => setAsking(undefined)}
          run={async (answer) => {
            await api('POST /attachment/applications/:id/answer', { params, body: { answer, _version } }, toast)
            await fresh()
          }}
        />
      )}
      {asking === 'withdraw' && (
        <WordsDialog
          title="Заявитель отозвал заявление"
          label="Почему"
          action="Отозвать"
          onClose={() => setAsking(undefined)}
          run={async (reason) => {
            await api('POST /attachment/applications/:id/withdraw', { params, body: { reason, _version } }, toast)
            await fresh()
          }}
        />
      )}
    </Block>
  )
}

const titles: Record<ApplicationRow['status'], string> = {
  new: 'Новое: возьмите на проверку',
  check: 'Проверьте и решите',
  needInfo: 'Ждём сведений от заявителя',
  approved: 'Одобрено',
  sent: 'Ждём ответа ТФОМС',
  attached: 'Прикреплён',
  refused: 'Отказано',
  withdrawn: 'Отозвано',
}
