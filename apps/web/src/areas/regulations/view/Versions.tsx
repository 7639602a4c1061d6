import { Text } from '@mantine/core'
import type { RegulationView } from '@ordinator/model/areas/regulations/wire'
import { IconArrowsDiff } from '@tabler/icons-react'
import { useState } from 'react'
import { ActionButton } from '#kit/ActionButton.tsx'
import { formatDateTime } from '#kit/clock.ts'
import { Block, HStack, VStack } from '#kit/Stacks.tsx'
import { Muted } from '#kit/Words.tsx'
import { StatusChip } from '../StatusChip.tsx'
import { Comparison } from './Comparison.tsx'
import classes from './Versions.module.css'

/** All versions, the newest first, each comparable with the open one. */
export function Versions({ view, onOpen }: { view: RegulationView; onOpen: (id: number) => void }) {
  const [other, setOther] = useState<number>()
  const chosen = view.versions.find(({ id }) => id === other)
  return (
    <VStack gap={16}>
      <Block component="ul" framed aria-label="Версии">
        {view.versions.map(({ id, version, status, updated_at }) => (
          <li key={id} className={classes.version} data-open={id === view.id || undefined}>
            <Text span inherit fw={500}>
              Версия {version}
            </Text>
            <StatusChip status={status} />
            <Muted>{formatDateTime(updated_at)}</Muted>
            <HStack component="span" gap={4} align="stretch" ml="auto">
              {id === view.id ? (
                <Muted>открыта</Muted>
              ) : (
                <>
                  <ActionButton
                    label="Сравнить"
                    size="compact-sm"
                    variant={id === other ? 'light' : 'subtle'}
                    icon={IconArrowsDiff}
                    aria-pressed={id === other}
                    onClick={() => setOther(id === other ? undefined : id)}
                  />
                  <ActionButton
                    label="Открыть"
                    size="compact-sm"
                    variant="subtle"
                    color="gray"
                    onClick={() => onOpen(id)}
                  />
                </>
              )}
            </HStack>
          </li>
        ))}
      </Block>
      {chosen && <Comparison view={view} other={chosen} />}
    </VStack>
  )
}
