import { allowed, holds } from '@ordinator/model/access'
import { semdWork } from '@ordinator/model/areas/egisz/access'
import { mayCancel, mayRebuild, mayRevise, maySend, Semd } from '@ordinator/model/areas/egisz/semd'
import { IconFileOff, IconRefresh, IconReplace, IconSend, IconSignature } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { notify } from '#kit/notify.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { WordsDialog } from '#kit/WordsDialog.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { notifyFailure } from '#records/notifyFailure.ts'
import { type SemdRow, SignDialog } from './SignDialog.tsx'

/** True when the next signature is the user's. */
export const maySignNow = (actor: ReturnType<typeof useActor>, { dueRole, idUser }: SemdRow): boolean =>
  dueRole === 'doctor' ? idUser === actor.id : dueRole !== null && holds(actor, 'manageSignatures')

/** Available actions on a document. */
export function SemdTools({ semd }: { semd: SemdRow }) {
  const actor = useActor()
  const cache = useQueryClient()
  const [opens, setOpens] = useState<'sign' | 'cancel'>()
  const [busy, setBusy] = useState<string>()
  const { id, status } = semd
  const run = async (what: string, work: () => Promise<unknown>, words: string) => {
    setBusy(what)
    try {
      await work()
      notify.success(words)
      await invalidateRecords(cache, Semd.path)
    } catch (error) {
      notifyFailure(error as Error)
    } finally {
      setBusy(undefined)
    }
  }
  // Readers of the journal get no actions.
  if (!allowed(actor, semdWork)) return null
  const isOwn = holds(actor, 'manageSignatures') || semd.idUser === actor.id
  return (
    <HStack wrap>
      {maySignNow(actor, semd) && (
        <ActionButton label="Подписать" icon={IconSignature} onClick={() => setOpens('sign')} />
      )}
      {mayRebuild(status) && (
        <ActionButton
          label="Собрать и проверить снова"
          icon={IconRefresh}
          variant="default"
          loading={busy === 'check'}
          onClick={() =>
            void run('check', () => api('POST /egisz/semds/:id/check', { params: { id } }), 'Документ проверен')
          }
        />
      )}
      {maySend(semd) && (
        <ActionButton
          label={status === 'accepted' ? 'Отправить снова' : 'Отправить'}
          icon={IconSend}
          loading={busy === 'send'}
          onClick={() =>
            void run('send', () => api('POST /egisz/semds/:id/send', { params: { id } }), 'Документ отправляется')
          }
        />
      )}
      {mayRevise(status) && (
        <ActionButton
          label="Новая версия"
          icon={IconReplace}
          variant="default"
          loading={busy === 'revise'}
          onClick={() =>
            void run(
              'revise',
              () => api('POST /egisz/semds/:id/revise', { params: { id } }),
              'Новая версия собрана: проверьте и подпишите',
            )
          }
        />
      )}
      {isOwn && mayCancel(status) && (
        <ActionButton
          label="Отменить"
          reverse
          icon={IconFileOff}
          variant="default"
          onClick={() => setOpens('cancel')}
        />
      )}
      {opens === 'sign' && <SignDialog rows={[semd]} onClose={() => setOpens(undefined)} />}
      {opens === 'cancel' && (
        <WordsDialog
          title="Отменить документ"
          label="Причина"
          action="Отменить документ"
          required
          max={500}
          danger
          run={async (reason) => {
            await api('POST /egisz/semds/:id/cancel', { params: { id }, body: { reason } })
            await invalidateRecords(cache, Semd.path)
          }}
          onClose={() => setOpens(undefined)}
        />
      )}
    </HStack>
  )
}
