import { useNavigate, useSearch } from '@tanstack/react-router'

/** Whether the window that adds something to the open tab is open, kept in the address so that the palette leads there. */
export function useAdding(): readonly [boolean, (adding: boolean) => void] {
  const { add = false } = useSearch({ from: '/signed-in/team/settings' })
  const navigate = useNavigate({ from: '/settings' })
  return [
    add,
    (adding) =>
      void navigate({ search: ({ add: _, ...rest }) => (adding ? { ...rest, add: true } : rest), replace: true }),
  ]
}
