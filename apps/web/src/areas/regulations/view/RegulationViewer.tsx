import { Alert, CloseButton, Tabs, Text } from '@mantine/core'
import { type Actor, holds } from '@ordinator/model/access'
import type { RegulationView } from '@ordinator/model/areas/regulations/wire'
import { IconMessageX } from '@tabler/icons-react'
import { useActor } from '#base/session.ts'
import frame from '#kit/openCard.module.css'
import { Muted } from '#kit/Words.tsx'
import type { SetRegulationsAddress } from '../address.ts'
import { ReadBanner, ReadConfirm } from '../reads/ReadBanner.tsx'
import { ReadingTab } from '../reads/ReadingTab.tsx'
import { RunsTab } from '../runs/RunsTab.tsx'
import { StatusChip } from '../StatusChip.tsx'
import { ViolationsTab } from '../violations/ViolationsTab.tsx'
import classes from './RegulationViewer.module.css'
import { Steps } from './Steps.tsx'
import { Versions } from './Versions.tsx'
import { ViewerActions } from './ViewerActions.tsx'
import { ViewerSide } from './ViewerSide.tsx'

interface Props {
  view: RegulationView
  setAddress: SetRegulationsAddress
  onClose: () => void
}

/** A regulation to read: steps, responsible, status. */
export function RegulationViewer({ view, setAddress, onClose }: Props) {
  const actor = useActor()
  const tabs = tabsOf(view, actor)
  return (
    <>
      <div className={`${frame.top} ${classes.top}`}>
        <StatusChip status={view.status} />
        <Muted>
          {view.type}
          {view.versions.length > 1 && `, версия ${view.version}`}
        </Muted>
        <div className={frame.topActions}>
          <ViewerActions view={view} setAddress={setAddress} onClose={onClose} />
          <CloseButton aria-label="Закрыть" onClick={onClose} />
        </div>
      </div>
      <div className={frame.layout}>
        <div className={frame.main}>
          <h2 className={classes.title}>{view.name}</h2>
          {view.description && (
            <Text mb={16} className="breaks lines">
              {view.description}
            </Text>
          )}
          {view.rejectionReason && (
            <Alert color="red" variant="light" mb="md" icon={<IconMessageX size={18} />} title="Отклонён">
              <Text span inherit className="breaks lines">
                {view.rejectionReason}
              </Text>
            </Alert>
          )}
          <Tabs defaultValue="steps" keepMounted={false}>
            <Tabs.List mb="md">
              <Tabs.Tab value="steps">Шаги</Tabs.Tab>
              {tabs.map(({ key, label }) => (
                <Tabs.Tab key={key} value={key}>
                  {label}
                </Tabs.Tab>
              ))}
              {view.versions.length > 1 && <Tabs.Tab value="versions">Версии {view.versions.length}</Tabs.Tab>}
            </Tabs.List>
            <Tabs.Panel value="steps">
              <ReadBanner view={view} />
              <Steps stages={view.stages} />
              <ReadConfirm view={view} />
            </Tabs.Panel>
            {tabs.map(({ key, Part }) => (
              <Tabs.Panel key={key} value={key}>
                <Part view={view} />
              </Tabs.Panel>
            ))}
            <Tabs.Panel value="versions">
              <Versions view={view} onOpen={(id) => setAddress({ id, mode: undefined })} />
            </Tabs.Panel>
          </Tabs>
        </div>
        <ViewerSide view={view} />
      </div>
    </>
  )
}

/** Further tabs: readers, for the responsible; runs and violations, once in force. */
function tabsOf(view: RegulationView, actor: Actor) {
  const isKept = holds(actor, 'editScripts') || view.idResponsibleUser === actor.id
  const wasInForce = view.status === 'active' || view.status === 'archived'
  return [
    ...(isKept ? [{ key: 'reads', label: 'Ознакомление', Part: ReadingTab }] : []),
    ...(wasInForce
      ? [
          { key: 'runs', label: 'Выполнения', Part: RunsTab },
          { key: 'violations', label: 'Нарушения', Part: ViolationsTab },
        ]
      : []),
  ]
}
