import { Button } from '@mantine/core'
import type { StageScript } from '@ordinator/model/areas/regulations/wire'
import { OldScript } from '@ordinator/model/areas/scripts/script'
import { IconMessages } from '@tabler/icons-react'
import { useState } from 'react'
import { ErrorState } from '../../../kit/ErrorState.tsx'
import { SidePanel } from '../../../kit/SidePanel.tsx'
import { LinesSkeleton } from '../../../kit/Skeletons.tsx'
import { useCan } from '../../../records/Can.tsx'
import { useRecord } from '../../../records/reads.ts'
import { ScriptWalk } from '../../scripts/index.ts'
import { Chip } from '../Chip.tsx'
import classes from './ScriptChips.module.css'

/** The scripts of a step; each opens to be walked through, for those who may see scripts. */
export function ScriptChips({ scripts }: { scripts: readonly StageScript[] }) {
  const mayOpen = useCan('view', OldScript)
  const [open, setOpen] = useState<StageScript>()
  if (scripts.length === 0) return null
  return (
    <ul className={classes.scripts} aria-label="Скрипты">
      {scripts.map((script) => (
        <li key={script.id} className={classes.script}>
          {mayOpen ? (
            <Button
              size="compact-sm"
              variant="default"
              classNames={{ root: classes.button, label: classes.name }}
              leftSection={<IconMessages size={16} />}
              onClick={() => setOpen(script)}
            >
              {script.name}
            </Button>
          ) : (
            <span className={classes.plain}>
              <IconMessages size={16} aria-hidden /> {script.name}
            </span>
          )}
          {!script.active && <Chip color="gray">не действует</Chip>}
        </li>
      ))}
      {open && (
        <SidePanel opened title={open.name} onClose={() => setOpen(undefined)}>
          <Script id={open.id} />
        </SidePanel>
      )}
    </ul>
  )
}

function Script({ id }: { id: number }) {
  const found = useRecord(OldScript, id, {}, { forbidden: 'silent' })
  if (found.isPending) return <LinesSkeleton lines={5} />
  if (found.isError)
    return <ErrorState title="Скрипт не загрузился" error={found.error} onRetry={() => void found.refetch()} />
  return (
    <div className={classes.walk}>
      <ScriptWalk script={found.data} />
    </div>
  )
}
