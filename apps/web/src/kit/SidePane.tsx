import { Box } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconFolder } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { ActionButton } from './ActionButton.tsx'
import { Drawer } from './Drawer.tsx'
import classes from './SidePane.module.css'

interface Props {
  /** Left pane: a tree of groups. On a narrow screen a button opens it as a drawer. @param close closes the drawer */
  side: (close: () => void) => ReactNode
  /** Title of the drawer. */
  title: string
  /** On the button: the current choice. */
  label: string
  children: ReactNode
}

/** A page with two panes: the choice on the left, its content on the right. */
export function SidePane({ side, title, label, children }: Props) {
  const [drawer, setDrawer] = useState(false)
  const narrow = useMediaQuery('(max-width: 62em)', undefined, { getInitialValueInEffect: false }) ?? false
  const contents = side(() => setDrawer(false))
  return (
    <div className={classes.page}>
      {narrow ? (
        <ActionButton
          label={label}
          variant="default"
          classNames={{ root: classes.opener }}
          icon={IconFolder}
          onClick={() => setDrawer(true)}
        />
      ) : (
        <div className={classes.side}>{contents}</div>
      )}
      <Box miw={0}>{children}</Box>
      <Drawer opened={narrow && drawer} onClose={() => setDrawer(false)} title={title} size={320}>
        {contents}
      </Drawer>
    </div>
  )
}
