; Bands of a lattice of rods
(set! num-bands 4)
(set! k-points (interpolate 1 (list (vector3 0 0 0) (vector3 0.5 0 0))))
(set! geometry-lattice (make lattice (size 1 1 1)))
(set! geometry (list (make sphere (center 0 0 0) (radius 0.3) (material (make dielectric (epsilon 12))))))
(set! resolution 8)
(run)
