import type { TablerIcon } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { ActionButton } from '#kit/ActionButton.tsx'
import { Popover } from '#kit/Popover.tsx'

interface Props {
  label: string
  icon: TablerIcon
  allowed?: boolean
  /** Hint of the button before the click. */
  hint?: string | undefined
  children: (close: () => void) => ReactNode
}

/** A bulk action button that opens a panel. */
export function BulkPanel({ label, icon: Icon, allowed = true, hint, children }: Props) {
  const [opened, setOpened] = useState(false)
  return (
    <Popover opened={opened} onChange={setOpened} position="top-start" width={260}>
      <Popover.Target>
        <ActionButton
          label={label}
          variant="light"
          disabled={!allowed}
          icon={Icon}
          title={hint}
          onClick={() => setOpened(!opened)}
        />
      </Popover.Target>
      <Popover.Dropdown aria-label={label} mah={360} style={{ overflowY: 'auto' }}>
        {children(() => setOpened(false))}
      </Popover.Dropdown>
    </Popover>
  )
}
