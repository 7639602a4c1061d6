import type { StageScript } from '@ordinator/model/areas/regulations/wire'
import { OldScript } from '@ordinator/model/areas/scripts/script'
import { IconMessages } from '@tabler/icons-react'
import { useState } from 'react'
import { ScriptWalk } from '#areas/scripts/index.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { SidePanel } from '#kit/SidePanel.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { useCan } from '#records/Can.tsx'
import { useRecord } from '#records/reads.ts'
import { Chip } from '../Chip.tsx'
import classes from './ScriptChips.module.css'

/** Scripts of a step; users with access can open them. */
export function ScriptChips({ scripts }: { scripts: readonly StageScript[] }) {
  const mayOpen = useCan('view', OldScript)
  const [open, setOpen] = useState<StageScript>()
  if (scripts.length === 0) return null
  return (
    <HStack component="ul" align="stretch" wrap aria-label="Скрипты">
      {scripts.map((script) => (
        <HStack key={script.id} component="li" gap={6} miw={0} maw="100%">
          {mayOpen ? (
            <ActionButton
              label={script.name}
              size="compact-sm"
              variant="default"
              classNames={{ root: classes.button, label: classes.name }}
              icon={IconMessages}
              onClick={() => setOpen(script)}
            />
          ) : (
            <HStack component="span" gap={6} display="inline-flex">
              <IconMessages size={16} aria-hidden /> {script.name}
            </HStack>
          )}
          {!script.active && <Chip color="gray">не действует</Chip>}
        </HStack>
      ))}
      {open && (
        <SidePanel opened title={open.name} onClose={() => setOpen(undefined)}>
          <Script id={open.id} />
        </SidePanel>
      )}
    </HStack>
  )
}

function Script({ id }: { id: number }) {
  const found = useRecord(OldScript, id, {}, { forbidden: 'silent' })
  if (found.isPending) return <LinesSkeleton lines={5} />
  if (found.isError)
    return <ErrorState title="Скрипт не загрузился" error={found.error} onRetry={() => void found.refetch()} />
  return (
    <VStack gap={12}>
      <ScriptWalk script={found.data} />
    </VStack>
  )
}
