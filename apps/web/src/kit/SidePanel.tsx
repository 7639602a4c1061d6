import { Drawer } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconExternalLink } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { IconButton } from './IconButton.tsx'
import { useInnermost } from './innermost.ts'
import classes from './SidePanel.module.css'

const WIDTH = 600
const WIDE = 960

interface Props {
  opened: boolean
  onClose: () => void
  title: ReactNode
  /** Beside the title. */
  actions?: ReactNode
  /** 960 px, for wide content. */
  wide?: boolean
  /** Opens the full view. */
  onOpenFull?: () => void
  /** Sticky at the bottom: save and cancel. */
  footer?: ReactNode
  children: ReactNode
}

/** The panel on the right, 600 px wide by default, full width on a small screen. Escape closes it, the focus returns. */
export function SidePanel({ opened, onClose, title, actions, wide, onOpenFull, footer, children }: Props) {
  const width = wide ? WIDE : WIDTH
  const small = useMediaQuery(`(max-width: ${width + 40}px)`, false, { getInitialValueInEffect: false })
  const mark = useInnermost(opened, onClose)
  return (
    <Drawer.Root
      opened={opened}
      onClose={onClose}
      closeOnClickOutside
      closeOnEscape={false}
      position="right"
      size={small ? '100%' : width}
      classNames={{ content: classes.content, header: classes.header, title: classes.title, body: classes.body }}
    >
      <Drawer.Overlay backgroundOpacity={0.25} />
      <Drawer.Content {...mark}>
        <Drawer.Header>
          <Drawer.Title>{title}</Drawer.Title>
          {actions}
          {onOpenFull && <IconButton icon={IconExternalLink} label="Открыть полностью" onClick={onOpenFull} />}
          <Drawer.CloseButton ml={4} aria-label="Закрыть" />
        </Drawer.Header>
        <Drawer.Body>{children}</Drawer.Body>
        {footer && <div className={classes.footer}>{footer}</div>}
      </Drawer.Content>
    </Drawer.Root>
  )
}
