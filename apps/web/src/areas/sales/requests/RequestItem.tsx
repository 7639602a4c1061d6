import { Anchor, Text } from '@mantine/core'
import { type Brand, brandNames } from '@ordinator/model/areas/sales/brands'
import { LeadRequest, requestStates } from '@ordinator/model/areas/sales/intake'
import { Lead } from '@ordinator/model/areas/sales/lead'
import { formatFromNow } from '@ordinator/model/format'
import { phoneText } from '@ordinator/model/phone'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { api } from '#base/api.ts'
import { errorMessage } from '#base/apiError.ts'
import { PageLink } from '#base/PageLink.tsx'
import { ActionButton } from '#kit/ActionButton.tsx'
import { formatDateTime } from '#kit/clock.ts'
import frame from '#kit/framedRows.module.css'
import { notify } from '#kit/notify.tsx'
import { PhoneLink } from '#kit/PhoneLink.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { invalidateRecords } from '#records/keys.ts'
import classes from './Requests.module.css'
import type { RequestRow } from './requestRow.ts'
import { type Sorting, SortRequest } from './SortRequest.tsx'

interface Props {
  request: RequestRow
  mayEdit: boolean
  opened: boolean
  onToggle: () => void
}

/** An incoming request: sender, text, source; sorted when opened. */
export function RequestItem({ request, mayEdit, opened, onToggle }: Props) {
  const body = useId()
  const cache = useQueryClient()
  const [busy, setBusy] = useState(false)
  const name = request.name || (request.phone ? phoneText(request.phone) : request.email) || 'Без имени'

  const run = async (call: () => Promise<unknown>): Promise<boolean> => {
    setBusy(true)
    try {
      await call()
      return true
    } catch (error) {
      notify.error(errorMessage(error), { title: 'Заявка не разобрана' })
      return false
    } finally {
      setBusy(false)
      await Promise.all([invalidateRecords(cache, LeadRequest.path), invalidateRecords(cache, Lead.path)])
    }
  }
  const reopen = () =>
    run(() => api('POST /sales-management/requests/:id/reopen', { params: { id: request.id } }, { forbidden: 'toast' }))
  const sort = async (verb: Sorting, call: () => Promise<unknown>) => {
    if (await run(call)) notify.undo(`${done[verb]}: ${name}`, () => void reopen())
  }
  const from = request.source?.name ?? brandNames[request.brand as Brand] ?? request.intake?.name
  return (
    <li className={frame.item}>
      <div className={classes.face}>
        <div className={frame.who}>
          <strong className={frame.name}>{name}</strong>
          <span className={frame.meta}>
            {request.phone && <PhoneLink phone={request.phone} />}
            {request.email && (
              <Anchor inherit href={`mailto:${request.email}`}>
                {request.email}
              </Anchor>
            )}
            {from && <span>{from}</span>}
            <time dateTime={request.dateCreate} title={formatDateTime(request.dateCreate)}>
              {formatFromNow(request.dateCreate)}
            </time>
          </span>
        </div>
        {(request.message || request.reason) && (
          <div className={classes.said}>
            {request.message && <Text className="breaks lines">{request.message}</Text>}
            {request.reason && (
              <Text c="dimmed" className="breaks">
                Причина: {request.reason}
              </Text>
            )}
          </div>
        )}
        {request.state === 'new' ? (
          mayEdit && (
            <ActionButton
              label={opened ? 'Свернуть' : 'Разобрать'}
              className={classes.act}
              size="compact-md"
              variant={opened ? 'default' : 'light'}
              aria-expanded={opened}
              aria-controls={body}
              aria-label={`${opened ? 'Свернуть' : 'Разобрать'}: ${name}`}
              onClick={onToggle}
            />
          )
        ) : (
          <HStack component="span" gap="4px 12px" wrap fz={13}>
            <span>
              {requestStates[request.state]}
              {request.user && ', '}
              {request.user && <UserLink user={request.user} />}
            </span>
            {request.lead && (
              <Anchor
                inherit
                renderRoot={(props) => <PageLink {...props} page="deals" search={{ lead: request.idLead }} />}
              >
                {request.lead.title}
              </Anchor>
            )}
            {mayEdit && (
              <ActionButton
                label="Вернуть"
                reverse
                size="compact-sm"
                variant="subtle"
                color="gray"
                loading={busy}
                icon={IconArrowBackUp}
                aria-label={`Вернуть в неразобранные: ${name}`}
                onClick={() => void reopen()}
              />
            )}
          </HStack>
        )}
      </div>
      <div id={body}>
        {opened && request.state === 'new' && <SortRequest request={request} busy={busy} onSort={sort} />}
      </div>
    </li>
  )
}

const done = { accept: 'Заявка принята', reject: 'Заявка отклонена', link: 'Заявка присоединена' } as const
