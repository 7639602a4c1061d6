import { CloseButton, SegmentedControl, Tabs } from '@mantine/core'
import { Lead } from '@ordinator/model/areas/sales/lead'
import { IconChartBar, IconLink, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { OrderTestsItem } from '#areas/laboratory/index.ts'
import { PrintMenu } from '#areas/prints/index.ts'
import { PageLink } from '#base/PageLink.tsx'
import { useRecordTitle } from '#base/title.ts'
import { ActionMenu, MenuItem } from '#kit/ActionMenu.tsx'
import { copyLink } from '#kit/copyLink.ts'
import { useHotkey } from '#kit/hotkeys.ts'
import { IconButton } from '#kit/IconButton.tsx'
import classes from '#kit/openCard.module.css'
import { useCan } from '#records/Can.tsx'
import { DraftName, DraftNotice } from '#records/DraftHead.tsx'
import { ConflictDialog } from '#records/form/ConflictDialog.tsx'
import { invalidateRecords, recordKeys } from '#records/keys.ts'
import { useRecordDraft } from '#records/recordDraft.ts'
import { SaveState } from '#records/SaveState.tsx'
import { useRemove } from '#records/writes.ts'
import { Offers } from '../offers/Offers.tsx'
import { ScriptPanel } from '../scripts/ScriptPanel.tsx'
import { useStageMove } from '../useStageMove.tsx'
import type { FullLead, LeadRow } from './fullLead.ts'
import { LeadLog } from './LeadLog.tsx'
import { LeadMain } from './LeadMain.tsx'
import { LeadSide } from './LeadSide.tsx'
import { StageBar } from './StageBar.tsx'
import { useContacts } from './useContacts.ts'
import { useLeadCounts } from './useLeadCounts.ts'

interface Props {
  lead: FullLead
  /** Funnel of the deal, or the one it may start in. */
  idFunnel: number
  onClose: () => void
}

export function OpenLead({ lead, idFunnel, onClose }: Props) {
  const cache = useQueryClient()
  const mayEdit = useCan('update', Lead) && lead.isEditable
  useRecordTitle(lead.title)
  const [side, setSide] = useState<'deal' | 'script'>('deal')
  const counts = useLeadCounts(lead.id)
  const idCustomer = useContacts(lead.id).data?.items.find((one) => one.idCustomer !== null)?.idCustomer
  const { move, dialog } = useStageMove()
  const remove = useRemove(Lead, { message: 'Сделка удалена' })

  const saved = (row: LeadRow & Partial<Pick<FullLead, 'stage'>>) => {
    cache.setQueriesData<FullLead>({ queryKey: [...recordKeys.views(Lead.path), lead.id] }, (now) =>
      now ? { ...now, ...row } : now,
    )
    void invalidateRecords(cache, Lead.path)
  }
  const [tab, setTab] = useState<string | null>('deal')
  const { draft, state } = useRecordDraft(Lead, lead as LeadRow, saved, 'Сделка не сохранена')
  useHotkey('mod+enter', () => void draft.flush(), { label: 'Сохранить сейчас', group: 'Карточка' })

  const [goesToOffer, setGoes] = useState(false)
  const offers = () => {
    setGoes(true)
    setTab('offers')
  }
  useHotkey('o', offers, { label: 'Предложения', group: 'Карточка' })

  const part = { lead, draft, state, mayEdit }
  return (
    <>
      <div className={classes.top}>
        <SaveState state={state} onRetry={() => void draft.flush()} />
        <div className={classes.topActions}>
          <IconButton
            icon={IconChartBar}
            renderRoot={(props) => <PageLink {...props} page="dealAnalytics" params={{ id: lead.id }} />}
            label="Аналитика сделки"
          />
          <PrintMenu entity="sales-management/leads" id={lead.id} variant="subtle" />
          <IconButton
            icon={IconLink}
            label="Скопировать ссылку"
            onClick={() => void copyLink(pathOf(lead), 'Ссылка на сделку')}
          />
          {mayEdit && (
            <ActionMenu label="Действия со сделкой" width={220}>
              <OrderTestsItem from={{ lead: lead.id, ...(idCustomer && { customer: idCustomer }) }} />
              <MenuItem
                label="Удалить"
                danger
                icon={IconTrash}
                onClick={() => {
                  onClose()
                  remove.mutate(lead.id)
                }}
              />
            </ActionMenu>
          )}
          <CloseButton aria-label="Закрыть" onClick={onClose} />
        </div>
      </div>
      <StageBar
        idFunnel={idFunnel}
        idStage={lead.idStage}
        disabled={!mayEdit}
        onMove={(stage) => void move(lead, stage).then((row) => row && saved({ ...row, stage }))}
      />

      <div className={classes.layout}>
        <div className={classes.main}>
          <DraftNotice draft={draft} state={state} />
          <DraftName
            draft={draft}
            state={state}
            name="title"
            saved={lead.title}
            label="Название сделки"
            readOnly={!mayEdit}
          />
          <Tabs value={tab} onChange={setTab} keepMounted={false} variant="default">
            <Tabs.List mb="sm">
              <Tabs.Tab value="deal">Сделка</Tabs.Tab>
              <Tabs.Tab value="offers" onClick={(event) => setGoes(event.detail > 0)}>
                {counted('Предложения', counts?.offersTotalCount)}
              </Tabs.Tab>
              <Tabs.Tab value="log">Журнал</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="deal">
              <LeadMain {...part} counts={counts} />
            </Tabs.Panel>
            <Tabs.Panel value="offers">
              <Offers idLead={lead.id} mayEdit={mayEdit} focuses={goesToOffer} />
            </Tabs.Panel>
            <Tabs.Panel value="log">
              <LeadLog idLead={lead.id} />
            </Tabs.Panel>
          </Tabs>
        </div>
        <aside className={classes.side} aria-label="Свойства сделки">
          {lead.idFunnel !== null && (
            <SegmentedControl
              fullWidth
              size="xs"
              aria-label="Что показать сбоку"
              data={[
                { value: 'deal', label: 'Свойства' },
                { value: 'script', label: 'Скрипты разговора' },
              ]}
              value={side}
              onChange={(value) => setSide(value as typeof side)}
            />
          )}
          {side === 'script' && lead.idFunnel !== null ? (
            <ScriptPanel idFunnel={lead.idFunnel} />
          ) : (
            <LeadSide {...part} />
          )}
        </aside>
      </div>
      {dialog}
      {state.conflict && (
        <ConflictDialog
          entity={Lead}
          id={lead.id}
          conflict={state.conflict.conflict}
          onResolve={(choices) => draft.resolve(choices)}
        />
      )}
    </>
  )
}

const counted = (label: string, count: number | undefined) => (count ? `${label} ${count}` : label)

const pathOf = ({ id, idFunnel }: FullLead) => `/deals?${idFunnel ? `funnel=${idFunnel}&` : ''}lead=${id}`
