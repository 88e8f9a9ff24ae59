import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import { Link } from '@tanstack/react-router'
import { useLayoutEffect } from 'react'
import { useAuth } from '../api/session.ts'
import classes from './shell.module.css'

/** The red line that leads to the sales that require attention. It stays at the lower end of the window. */
export function AttentionLink() {
  const { salesRequiringAttention: sales } = useAuth()
  const isShown = sales > 0
  // The attribute is on the root element, which scrolls and needs the height of the alert. A :has() selector instead
  // would restyle the page with each toast.
  useLayoutEffect(() => {
    document.documentElement.toggleAttribute('data-attention', isShown)
    return () => document.documentElement.removeAttribute('data-attention')
  }, [isShown])
  return isShown ? (
    <Link to="/admin/sale" className={classes['attention']}>
      <IconAlertTriangle size={18} />
      {`${sales} sales requires attention.`}
    </Link>
  ) : null
}
