; A point source in a box of 3 x 3 x 3 with absorbing borders; the energy of the field is summed after every step
(set! geometry-lattice (make lattice (size 3 3 3)))
(set! geometry (list (make sphere (center 0 0 0) (radius 0.7) (material (make dielectric (epsilon 9))))))
(set! pml-layers (list (make pml (thickness 0.5))))
(set! resolution 8)
(set! sources (list (make source (src (make gaussian-src (frequency 0.3) (fwidth 0.2))) (component Ez) (center 1 0 0))))
(run-until 4 (lambda () (field-energy-in-box (volume (center 0 0 0) (size 1 1 1)))))
