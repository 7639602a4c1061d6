import { Menu, type MenuProps } from '@mantine/core'
import { cloneElement, type ReactElement, type ReactNode, useLayoutEffect, useRef, useState } from 'react'

interface Props extends Pick<MenuProps, 'position' | 'width' | 'returnFocus'> {
  button: ReactElement<ButtonProps>
  /** `Menu.Item`s. */
  children: ReactNode
}

interface ButtonProps {
  ref?: unknown
  onClick?: () => void
  onFocus?: () => void
  onPointerEnter?: () => void
  'aria-haspopup'?: 'menu'
  'aria-expanded'?: boolean
}

/**
 * A menu that is put up when the pointer or the focus comes to its button: a board has many such buttons, and opens
 * sooner without what stands behind them.
 */
export function ButtonMenu({ button, children, ...rest }: Props) {
  const [wanted, setWanted] = useState(false)
  const [opened, setOpened] = useState(false)
  const target = useRef<HTMLElement>(null)
  const focused = useRef(false)
  // The button is another element now: who stood on it goes on standing there.
  useLayoutEffect(() => {
    if (wanted && focused.current) target.current?.focus({ preventScroll: true })
  }, [wanted])
  const want = () => {
    focused.current = document.activeElement === target.current
    setWanted(true)
  }
  if (!wanted)
    return cloneElement(button, {
      ref: target,
      'aria-haspopup': 'menu',
      'aria-expanded': false,
      onFocus: want,
      onPointerEnter: want,
      onClick: () => {
        focused.current = true
        setWanted(true)
        setOpened(true)
      },
    })
  return (
    <Menu {...rest} opened={opened} onChange={setOpened}>
      <Menu.Target>{cloneElement(button, { ref: target })}</Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  )
}
