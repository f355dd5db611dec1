import { useNavigate, useSearch } from '@tanstack/react-router'

/** How far a list of the page is paged, as its address keeps it. */
export function useOffset(): readonly [number, (offset: number) => void] {
  const { offset = 0 } = useSearch({ from: '/signed-in/team/sources/$id' })
  const navigate = useNavigate({ from: '/sources/$id' })
  return [
    offset,
    (next) => void navigate({ search: ({ offset: _, ...rest }) => (next > 0 ? { ...rest, offset: next } : rest) }),
  ]
}
