/** Puts a value into a map as its newest; where there are more than so many, the oldest is forgotten. */
export function putNewest<T>(map: Map<string, T>, [key, value]: readonly [string, T], most: number): void {
  map.delete(key)
  map.set(key, value)
  if (map.size <= most) return
  const [oldest] = map.keys()
  if (oldest !== undefined) map.delete(oldest)
}
