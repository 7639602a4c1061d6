import { IconPlus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { IconButton } from './IconButton.tsx'
import classes from './openCard.module.css'
import { Popover } from './Popover.tsx'

/** A property of an open card. */
export function CardField({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section aria-label={label}>
      <div className={classes.label}>{label}</div>
      {children}
    </section>
  )
}

/** A plus button that opens a picker. */
export function CardPicker({
  label,
  opened,
  onChange,
  children,
}: {
  label: string
  opened: boolean
  onChange: (opened: boolean) => void
  children: ReactNode
}) {
  return (
    <Popover opened={opened} onChange={onChange} width={280} position="bottom-start">
      <Popover.Target>
        <IconButton
          icon={IconPlus}
          size={26}
          variant="default"
          radius="xl"
          label={`${label}: изменить`}
          onClick={() => onChange(!opened)}
        />
      </Popover.Target>
      <Popover.Dropdown p={0} aria-label={label}>
        {children}
      </Popover.Dropdown>
    </Popover>
  )
}
