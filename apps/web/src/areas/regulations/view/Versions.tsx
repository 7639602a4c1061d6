import { Button } from '@mantine/core'
import type { RegulationView } from '@ordinator/model/areas/regulations/wire'
import { IconArrowsDiff } from '@tabler/icons-react'
import { useState } from 'react'
import { formatDateTime } from '../../../kit/clock.ts'
import { StatusChip } from '../StatusChip.tsx'
import { Comparison } from './Comparison.tsx'
import classes from './Versions.module.css'

/** All versions of the regulation, the newest first; any may be set beside the open one. */
export function Versions({ view, onOpen }: { view: RegulationView; onOpen: (id: number) => void }) {
  const [other, setOther] = useState<number>()
  const chosen = view.versions.find(({ id }) => id === other)
  return (
    <div className={classes.versions}>
      <ul className={classes.list} aria-label="Версии">
        {view.versions.map(({ id, version, status, updated_at }) => (
          <li key={id} className={classes.version} data-open={id === view.id || undefined}>
            <span className={classes.name}>Версия {version}</span>
            <StatusChip status={status} />
            <span className={`${classes.dim} tabular`}>{formatDateTime(updated_at)}</span>
            <span className={classes.actions}>
              {id === view.id ? (
                <span className={classes.dim}>открыта</span>
              ) : (
                <>
                  <Button
                    size="compact-sm"
                    variant={id === other ? 'light' : 'subtle'}
                    leftSection={<IconArrowsDiff size={16} />}
                    aria-pressed={id === other}
                    onClick={() => setOther(id === other ? undefined : id)}
                  >
                    Сравнить
                  </Button>
                  <Button size="compact-sm" variant="subtle" color="gray" onClick={() => onOpen(id)}>
                    Открыть
                  </Button>
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
      {chosen && <Comparison view={view} other={chosen} />}
    </div>
  )
}
